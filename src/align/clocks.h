// Offsets between the tasks' clocks from the steps they share (algorithms.md section 2, first rungs
// of the ladder).
#pragma once

#include "align/model.h"

namespace tfpm {

// Fills clock offset, error and class of workers. The reference is the virtual median of all
// stepping tasks, shifted so that the leader's offset is 0 when it has one.
void fit_clocks(Model& model);

}  // namespace tfpm
