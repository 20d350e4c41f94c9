// Rows of schema/70_checkpoint.sql for one checkpoint.
#pragma once

#include "parsers/checkpoint/judge.h"
#include "parsers/checkpoint/model.h"
#include "parsers/checkpoint_set.h"

namespace tfpm {

// The checkpoint must be settled: every tensor has its final status. Fills `summary` too.
CheckpointGroup checkpoint_group(const Checkpoint& checkpoint, const CheckpointVerdict& verdict,
                                 CheckpointSummary& summary);

// One remainder of an unfinished save. `source` is the member it is or holds; an empty `prefix`
// means that it names no checkpoint.
CheckpointGroup leftover_group(std::string_view source, const Leftover& leftover,
                               std::string_view prefix);

}  // namespace tfpm
