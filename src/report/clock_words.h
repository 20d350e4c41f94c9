// How well tasks' clocks are known, in the words that go with each class (algorithms.md
// section 2.6).
#pragma once

#include <string>
#include <vector>

#include "report/model.h"

namespace tfpm::report {

// A task's clock as the store has it: worker.name, clock_class, clock_error_us.
struct ClockStatement {
  std::string task;
  std::string quality;  // 'A' to 'D'
  MaybeInt error_us;    // stated error of the offset; absent = not known
};

// One sentence per class, best first: "worker-0, worker-2: aligned to within about 12 ms". The
// error is that of the worst task of the class.
std::vector<std::string> clock_sentences(const std::vector<ClockStatement>& clocks);

}  // namespace tfpm::report
