// One run printed in any dialect, learned and chosen again: what the marker tests share.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/series.h"

namespace tfpm::test {

// One step of the run that all dialects print.
struct StepFacts {
  int task = 0;
  int step = 0;      // from 1
  int epoch = 0;     // from 1
  int batch = 0;     // in the epoch, from 1
  double loss = 0;   // four decimals, or NaN
  double loss0 = 0;  // loss of the step before, for stale redraws
  int per_epoch = 10;
  int steps = 40;
};

using Lines = std::vector<std::string>;
using Printer = std::function<void(const StepFacts&, Lines&)>;

struct Run {
  int tasks = 3;
  int steps = 40;
  int per_epoch = 10;
  bool local = false;     // every task has its own loss
  int nan_from = 0;       // first step with NaN on all tasks; 0 = never
  int last_of_task1 = 0;  // task 1 ends here; 0 = at the end
  bool stamped = true;    // records carry a time
  int first_step = 1;     // resumed runs
};

struct Marker {
  std::int64_t step = 0;
  std::optional<double> loss;  // NaN for 'nan'
  std::optional<std::int64_t> step_time_us, epoch;
  std::optional<double> batch_loss;
};

struct Chosen {
  std::vector<std::vector<Marker>> tasks;
  std::string unit, edge, loss_mode;
  bool sure = false;
};

// Loss of a step, to four decimals.
double true_loss(const Run& run, int task, int step);
// As four decimals, "nan" when it is.
std::string text_of(double loss);

// Prints the run, reads it with one learner per task and chooses.
Chosen print_and_choose(const Run& run, const Lines& preamble, const Printer& printer);
// The same for logs given as they are, one per task.
Chosen choose(const std::vector<Lines>& logs, bool stamped,
              const std::vector<DeclaredMarker>& declared = {});

// Every task shows steps first..last with the true losses; `with_loss` false compares steps only.
// Empty when equal, else what differs.
std::string difference(const Run& run, const Chosen& chosen, bool with_loss = true, int base = 0);

}  // namespace tfpm::test
