// CRC-32C (Castagnoli) as TensorFlow stores it: in sorted tables, tensor bundles and TFRecords.
// Not zlib's CRC-32. Vectors: formats.md 0.2.
#pragma once

#include <cstdint>
#include <string_view>

namespace tfpm {

// Checksum of `a + b`, given crc = checksum of `a` and bytes = `b`. The checksum of nothing is 0.
std::uint32_t crc32c_extend(std::uint32_t crc, std::string_view bytes);

inline std::uint32_t crc32c(std::string_view bytes) {
  return crc32c_extend(0, bytes);
}

// Stored checksums are masked, so that a checksum of data that holds checksums stays meaningful.
constexpr std::uint32_t kCrcMaskDelta = 0xA282EAD8;
constexpr std::uint32_t crc32c_mask(std::uint32_t crc) {
  return ((crc >> 15) | (crc << 17)) + kCrcMaskDelta;
}
constexpr std::uint32_t crc32c_unmask(std::uint32_t masked) {
  const std::uint32_t rotated = masked - kCrcMaskDelta;
  return (rotated >> 17) | (rotated << 15);
}

}  // namespace tfpm
