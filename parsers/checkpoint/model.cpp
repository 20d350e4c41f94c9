#include "parsers/checkpoint/model.h"

namespace tfpm {

const ShardFiles* Checkpoint::shard_files() const {
  if (header) {
    const auto exact = shards.find(header->shards);
    if (exact != shards.end()) return &exact->second;
  }
  return shards.size() == 1 ? &shards.begin()->second : nullptr;
}

ShardFiles* Checkpoint::shard_files() {
  return const_cast<ShardFiles*>(static_cast<const Checkpoint*>(this)->shard_files());
}

std::int32_t Checkpoint::shard_count() const {
  if (header && (shards.size() != 1 || shards.contains(header->shards))) return header->shards;
  return shards.size() == 1 ? shards.begin()->first : 0;
}

}  // namespace tfpm
