// A synchronous run as its tasks' clocks see it: known truth for the clock fit (algorithms.md
// section 2.7). All times in microseconds; everything follows from the seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "align/clock_fit.h"

namespace tfpm::sim {

// How late lines are written, and how finely they are stamped.
struct Noise {
  const char* name;
  double mean_lag_us;  // of every line, exponential
  double late_share;   // of lines that are written much later
  double late_from_us, late_to_us;
  double rounding_us;  // stamps are cut to multiples of it
};
inline constexpr Noise kMicroseconds{"us stamps, 2 % late", 3e3, 0.02, 0.1e6, 2e6, 1};
inline constexpr Noise kVeryLate{"us stamps, 20 % late", 50e3, 0.20, 0, 30e6, 1};
inline constexpr Noise kWholeSeconds{"1 s stamps, 2 % late", 3e3, 0.02, 0.1e6, 2e6, 1e6};

struct Clock {
  double offset_us = 0;
  double drift = 0;
  std::size_t jump_at = SIZE_MAX;  // from this step on ...
  double jump_us = 0;              // ... it stands this much further
  double show(double t_us, std::size_t step) const {
    return t_us * (1 + drift) + offset_us + (step >= jump_at ? jump_us : 0);
  }
};

struct Run {
  std::vector<Clock> clocks;
  std::vector<std::vector<double>>
      enter_us;                    // [task][step] when it enters the collective, true time
  std::vector<double> done_us;     // [step] when the collective is complete, true time
  std::vector<ClockTrack> tracks;  // what the logs show
};

struct Shape {
  std::size_t tasks = 8;
  std::size_t steps = 200;
  double offset_us = 3600e6;  // clocks differ by up to this, both ways
  double drift = 1e-4;        // and run faster or slower by up to this
  double missing = 0.1;       // share of markers that nobody wrote
  // A step's work differs by up to this share, both ways, on all tasks alike: batches are longer
  // and shorter. Stamps of whole seconds then meet every fraction of a second.
  double batch_spread = 0.5;
};

// Steps of 0.5 s that end in a collective of 20 ms.
Run make_run(const Shape& shape, const Noise& noise, std::uint32_t seed);

// Per task: how far its aligned clock is from the median task's at worst, over all steps.
std::vector<double> misalignments(const Run& run, const ClockSolution& solution);

// Value of the sorted list below which the share lies.
double quantile(std::vector<double> values, double share);

}  // namespace tfpm::sim
