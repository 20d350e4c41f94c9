// Raw Snappy blocks (no framing), with a guard against decompression bombs (formats.md 0.3).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tfpm {

inline constexpr std::size_t kMaxSnappyBlock = std::size_t{64} << 20;

// The decompressed bytes; nothing when the block is damaged, declares more than kMaxSnappyBlock, or
// declares more than its compressed size can hold.
std::optional<std::string> snappy_uncompress(std::string_view compressed);

}  // namespace tfpm
