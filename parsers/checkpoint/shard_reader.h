// Reads one shard of a bundle from front to back and verifies the tensors in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/checkpoint/model.h"
#include "parsers/parser.h"

namespace tfpm {

// Small enough to stay in the second-level cache between the kernel's copy, the checksum and the
// scan for non-finite values: larger chunks are slower (performance.md 4).
inline constexpr std::size_t kShardChunk = std::size_t{256} << 10;

struct ShardReading {
  std::uint64_t bytes = 0;  // read
  std::string error;        // why reading stopped; empty = read to the end
  std::string kept;         // payload of a string tensor that was asked for
};

struct ShardReadOptions {
  bool big_endian = false;
  std::string_view keep;  // name of a string tensor whose payload to return
};

// Fills the results of `tensors`, which are those of this shard. Overlapping and contradictory ones
// are told apart before reading, so each byte is looked at once.
ShardReading read_shard(ByteStream& in, std::vector<Tensor*> tensors,
                        const ShardReadOptions& options);

}  // namespace tfpm
