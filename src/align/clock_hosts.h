// Clocks of tasks that share a machine (algorithms.md section 2.1).
#pragma once

#include "align/model.h"

namespace tfpm {

// Tasks of one host read one clock: a task that nothing else places (a parameter server, an
// evaluator) gets the clock of its neighbour that is known best. Not where their stamps, read so,
// do not meet: then one of them writes another zone, and which one nobody says.
void share_host_clocks(Model& model);

}  // namespace tfpm
