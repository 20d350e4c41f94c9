// Is the printed loss one value of the whole job, or each task's own? (algorithms.md section 1.9,
// rule 8)
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "align/marker_steps.h"

namespace tfpm {

class LossAgreement {
 public:
  // The markers of one training task; a task counts once.
  void add(std::int64_t task, const std::vector<MarkerRow>& rows);
  // 'reduced' when the finite values of one step are equal on all tasks for >= 90 % of the steps
  // that two tasks or more printed, 'local' when for <= 50 %, else 'unknown'. The last run is asked
  // alone where it has a few such steps: one before it, or an older launch's in the same log, may
  // have printed another loss.
  std::string mode() const;

 private:
  struct Step {
    double loss = 0;
    std::uint32_t tasks = 0;
    bool equal = true;
  };
  std::unordered_map<std::uint64_t, Step> steps_;  // by attempt and step
  std::unordered_set<std::int64_t> tasks_;
};

}  // namespace tfpm
