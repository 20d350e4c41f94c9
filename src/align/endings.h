// How every process run ended, before any error text is weighed (algorithms.md section 4.8).
#pragma once

#include "align/model.h"

namespace tfpm {

// Needs attempts and steps. Fills ending, terminal and terminal_event of all attempts, and event
// outcomes.
void judge_endings(Model& model);

}  // namespace tfpm
