// The clauses of a checkpoint's problem sentence: what is wrong, with names and bytes, and which
// stage of the write protocol it points to (formats.md 1.7, algorithms.md 8.2).
#pragma once

#include <string>

#include "parsers/checkpoint/model.h"

namespace tfpm {

// Each returns an empty string when it has nothing to say.
std::string describe_absent(const Checkpoint& checkpoint);
std::string describe_temp_only(const Checkpoint& checkpoint);
std::string describe_data_without_index(const Checkpoint& checkpoint);
std::string describe_index(const Checkpoint& checkpoint);
std::string describe_missing_shards(const Checkpoint& checkpoint);
std::string describe_short_shards(const Checkpoint& checkpoint);
std::string describe_long_shards(const Checkpoint& checkpoint);
std::string describe_shard_sets(const Checkpoint& checkpoint);
std::string describe_read_errors(const Checkpoint& checkpoint);
std::string describe_bad_tensors(const Checkpoint& checkpoint);
std::string describe_nonfinite(const Checkpoint& checkpoint);
std::string describe_v1(const Checkpoint& checkpoint);

}  // namespace tfpm
