// Who makes the others wait, from printed step times (algorithms.md section 7.1).
#pragma once

#include "align/model.h"

namespace tfpm {

struct StepCost {
  int worker = -1;
  std::int64_t generation = 0;
  double cost = 0;       // share of run time lost by waiting for it
  double next_cost = 0;  // of the next worst task
  double share = 0;      // share of compared steps that count
  std::int64_t steps = 0;
  std::int64_t own_us = 0, peer_us = 0;  // medians
};

// One entry per task of a synchronous job whose own step times are printed by at least two tasks.
std::vector<StepCost> find_step_costs(const Model& model);
Status store_step_costs(Database& db, const std::vector<StepCost>& costs);

}  // namespace tfpm
