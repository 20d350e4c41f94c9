#include "parsers/checkpoint/layout.h"

#include <fmt/format.h>

#include <algorithm>

namespace tfpm {

ShardLayout shard_layout(const Checkpoint& checkpoint) {
  std::map<std::int32_t, ShardExpectation> by_number;
  for (const Tensor& tensor : checkpoint.tensors) {
    if (tensor.entry.partitioned()) continue;  // its bytes are in its slices
    ShardExpectation& shard = by_number[tensor.entry.shard];
    const auto end = static_cast<std::uint64_t>(tensor.entry.offset + tensor.entry.size);
    shard.expected = std::max(shard.expected, end);
    ++shard.tensors;
  }
  if (const ShardFiles* files = checkpoint.shard_files()) {
    for (const auto& [number, file] : *files) by_number[number].file = &file;
  }
  ShardLayout out;
  for (auto& [number, shard] : by_number) {
    shard.number = number;
    out.shards.push_back(shard);
  }
  return out;
}

const ShardFile* ShardLayout::file(std::int32_t number) const {
  const auto at = std::lower_bound(
      shards.begin(), shards.end(), number,
      [](const ShardExpectation& shard, std::int32_t n) { return shard.number < n; });
  return at != shards.end() && at->number == number ? at->file : nullptr;
}

std::string shard_path(const Checkpoint& checkpoint, std::int32_t number) {
  if (const ShardFiles* files = checkpoint.shard_files()) {
    const auto at = files->find(number);
    if (at != files->end()) return at->second.path;
  }
  return fmt::format("{}.data-{:05}-of-{:05}", checkpoint.prefix, number, checkpoint.shard_count());
}

}  // namespace tfpm
