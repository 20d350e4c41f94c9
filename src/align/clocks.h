// The tasks' clocks against one reference (algorithms.md section 2).
#pragma once

#include "align/align.h"
#include "align/model.h"

namespace tfpm {

// Fills WorkerInfo::clock of all workers: from the steps they share, else from what they log of the
// run's life, else from what the manifest declares. The reference is the virtual median of the
// stepping tasks, shifted so that declared clocks are right, else so that the leader's offset is 0.
void fit_clocks(Model& model, const AlignOptions& options);

}  // namespace tfpm
