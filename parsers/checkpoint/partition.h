// Partitioned tensors: the state of the whole from the states of its slices (formats.md 1.5).
#pragma once

#include "parsers/checkpoint/model.h"

namespace tfpm {

// Fills the results of partitioned tensors. Slices must be settled before.
void settle_partitioned(Checkpoint& checkpoint);

}  // namespace tfpm
