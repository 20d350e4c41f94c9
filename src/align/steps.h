// Steps: frontier, last completed step, and the interval of every event (algorithms.md
// sections 1.2, 1.3).
#pragma once

#include "align/model.h"

namespace tfpm {

// Needs attempts and markers. Fills attempt first/last step, generations, superseded markers and
// event steps.
void place_steps(Model& model);

}  // namespace tfpm
