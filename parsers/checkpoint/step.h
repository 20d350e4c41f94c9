// Which step a checkpoint is of: from a counter inside it, else from its name.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "parsers/checkpoint/model.h"

namespace tfpm {

inline constexpr std::string_view kObjectGraphKey = "_CHECKPOINTABLE_OBJECT_GRAPH";

// How much a variable's name says that it counts training steps: 0 = nothing, greater = more.
// Object-based keys ("optimizer/iter/.ATTRIBUTES/VARIABLE_VALUE") and plain names both work.
int step_name_rank(std::string_view name);

struct CheckpointStep {
  std::optional<std::int64_t> step;
  std::string_view basis;  // 'tensor', 'suffix'; empty = step unknown
  std::optional<std::int64_t> save_counter;
};

// Uses the scalars that were read intact, and the object graph for counters whose key is a mere
// number (Keras 3 optimizers).
CheckpointStep find_step(const Checkpoint& checkpoint);

// Whether no key names a step counter, so that the object graph may have to.
bool needs_object_graph(const Checkpoint& checkpoint);

}  // namespace tfpm
