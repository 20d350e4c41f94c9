// Where printed losses stop being finite, and whether they ran away before (algorithms.md
// sections 5.1 and 5.3).
#pragma once

#include "align/model.h"

namespace tfpm {

struct NanOnset {
  int worker = -1;
  std::int64_t generation = 0;
  int stream = -1;
  std::int64_t seq = 0;
  std::int64_t step = 0;  // of the first non-finite value
  OptInt last_finite;
  std::string state;
  bool finite_after = false;
  bool explodes = false;
  std::int64_t onset_step = 0;
};

// One entry per worker and generation with a non-finite loss. Needs placed markers.
std::vector<NanOnset> find_nan_onsets(const Model& model);
Status store_nan_onsets(Database& db, const Model& model, const std::vector<NanOnset>& onsets);

}  // namespace tfpm
