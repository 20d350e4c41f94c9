// Where a new process begins in a log whose headers show no process ids (algorithms.md 1.5).
#pragma once

#include "align/model.h"

namespace tfpm {

// Finds such places in streams that show one process so far: where the step counter goes back by
// more than one marker period (epochs are unrolled before), where a server is opened again, and
// where a process starts up or fails again behind an exception that nobody caught. Needs markers;
// call before split_attempts.
void find_restarts(Model& model);

}  // namespace tfpm
