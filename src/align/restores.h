// What a run restored: the step it resumed from, and how far that proves a checkpoint good
// (algorithms.md sections 8.1 and 8.4).
#pragma once

#include "align/model.h"

namespace tfpm {

// Sets AttemptInfo::restored_step by what the run says it restored: the checkpoint of that name in
// the bundle, else the number of the name where the run then began there. Raises checkpoint.use to
// 'restored', and 'restored-and-stepped' where a step followed. Needs placed steps.
Status find_restores(Database& db, Model& model);

}  // namespace tfpm
