// What an index expects of each shard, beside what is there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsers/checkpoint/model.h"

namespace tfpm {

struct ShardExpectation {
  std::int32_t number = 0;
  std::uint64_t expected = 0;  // greatest offset + size of its tensors
  std::uint64_t tensors = 0;
  const ShardFile* file = nullptr;  // null = missing
  bool is_short() const { return file != nullptr && file->size && *file->size < expected; }
  // Upstream may pad tensors to the alignment of vector registers.
  bool is_long() const {
    constexpr std::uint64_t kMaxAlignment = 64;
    return file != nullptr && file->size && *file->size > expected &&
           *file->size - expected > kMaxAlignment;
  }
};

struct ShardLayout {
  std::vector<ShardExpectation> shards;  // by number: those with tensors or with a file
  const ShardFile* file(std::int32_t number) const;
};

ShardLayout shard_layout(const Checkpoint& checkpoint);

// Path the shard has or would have.
std::string shard_path(const Checkpoint& checkpoint, std::int32_t number);

}  // namespace tfpm
