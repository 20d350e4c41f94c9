// Where a checkpoint stands in the lattice of algorithms.md 8.1, and the sentence that says why.
#pragma once

#include <string>
#include <string_view>

#include "parsers/checkpoint/model.h"

namespace tfpm {

// All views are of literals, in the words of schema/70_checkpoint.sql.
struct CheckpointVerdict {
  std::string_view completeness;
  std::string_view integrity;
  std::string_view health;
  std::string_view code;  // of the problem row; empty = no problem
  std::string problem;    // one or more clauses, a sentence; empty = nothing wrong
};

CheckpointVerdict judge(const Checkpoint& checkpoint);

}  // namespace tfpm
