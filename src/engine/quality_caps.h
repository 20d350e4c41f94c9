// What doubtful evidence does to the confidence of everything that stands on it.
#pragma once

#include <vector>

#include "engine/hypothesis.h"

namespace tfpm {

// Remarks on the evidence itself (class data-quality) that carry a confidence cap limit all
// hypotheses of their generation (algorithms.md section 3.4): where two runs are mixed, the
// innocent look as guilty as the guilty.
void cap_by_quality(const std::vector<Claim>& claims, std::vector<Hypothesis>& hypotheses);

}  // namespace tfpm
