// Copies of one checkpoint in several directories: which tensors differ, and by how much
// (algorithms.md 8.5).
//
// The stored checksums say whether tensors differ, so only those that do are kept while shards are
// read, within a limit, and compared value by value.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/row.h"
#include "parsers/checkpoint/model.h"

namespace tfpm {

// After all indexes have come, before the first shard: marks what to keep.
void keep_differing(Checkpoints& checkpoints);

// Rows of replica_difference by prefix of the copy that differs. After the last shard.
using ReplicaRows = std::map<std::string, std::vector<Row>, std::less<>>;
ReplicaRows compare_replicas(Checkpoints& checkpoints);

}  // namespace tfpm
