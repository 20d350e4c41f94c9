// Maps clocks onto one axis from moments they share (algorithms.md sections 2.3 to 2.5).
//
// Nothing here knows tasks or logs: a track is one clock's stamps of numbered moments (a step's
// end) that all clocks see at the same time but for lines written late. The axis is the virtual
// median of all clocks, so that no single bad clock spoils the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tfpm {

// Times are doubles in microseconds, relative to an origin near the stamps: then they are exact.
struct SyncStamp {
  std::uint32_t moment = 0;  // small numbers: arrays are indexed by them
  double time_us = 0;
};

struct ClockTrack {
  std::vector<SyncStamp> stamps;  // as they follow each other in time; a moment once
  double rounding_us = 1;         // resolution of the stamps
};

enum class ClockRung {
  kNone,       // shares no moment with any other clock
  kOffset,     // too few or too noisy for a drift: one difference
  kDrift,      // a line
  kPiecewise,  // lines between the moments at which the clock was set
};

// What a clock did between two cuts: axis = stamp + correction + slope * (stamp - centre).
struct ClockPart {
  std::size_t first = 0;  // index of its first stamp in the track
  double centre_us = 0;
  double correction_us = 0;
  double slope = 0;
  double scale_us = 0;   // robust scale of the residuals
  std::size_t used = 0;  // stamps that count
  bool sloped = false;   // a drift was fitted
  double to_axis(double stamp_us) const {
    return stamp_us + correction_us + slope * (stamp_us - centre_us);
  }
};

struct ClockFit {
  ClockRung rung = ClockRung::kNone;
  std::vector<ClockPart> parts;  // ascending, at least one unless kNone
  std::size_t shared = 0;        // stamps of moments that another clock saw too
  double sigma_us = 0;        // standard error of the correction: 1.25 scale / sqrt(n), worst part
  double drift_bound_us = 0;  // what an unknown drift may add over the track (offset rung)
  const ClockPart& part_of(std::size_t stamp) const;
};

struct ClockSolution {
  std::vector<ClockFit> fits;  // one per track
  std::vector<double> axis;    // per moment; NaN where fewer than two clocks saw it
};

// Unknown drift is taken to be this at most (drift_cap of section 13).
inline constexpr double kDriftCap = 1e-4;

// O(stamps) per sweep, memory O(stamps). Tracks that share no moments, directly or through others,
// with the largest group of clocks stay kNone. The result does not depend on `threads`.
ClockSolution fit_clock_tracks(const std::vector<ClockTrack>& tracks, unsigned threads = 1);

}  // namespace tfpm
