// Where losses stop being finite, whether they ran away before, and what else tells the cause
// (algorithms.md sections 5.1 and 5.3).
#pragma once

#include "align/loss_series.h"
#include "align/model.h"

namespace tfpm {

// Per worker and generation with a non-finite loss; schema/35_fact.sql, nan_onset.
struct NanOnset {
  int worker = -1;
  std::int64_t generation = 0;
  std::string ref;        // evidence reference of the first non-finite value
  std::int64_t step = 0;  // its step
  OptInt last_finite;     // last step before it with a finite value
  std::string state;
  bool finite_after = false;
  bool from_log = true;
  bool explodes = false;
  std::int64_t onset_step = 0;
};

// One entry per worker and generation. Where log and event files both hold the loss, the log names
// the value and a finer event file narrows the interval.
std::vector<NanOnset> find_nan_onsets(const std::vector<LossSeries>& losses);

// Finds and stores onsets, the span of every task's losses, and the signs of a cause.
Status store_nan_facts(Database& db, const Model& model);

}  // namespace tfpm
