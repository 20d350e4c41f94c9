// CRC-32C (Castagnoli) as TensorFlow stores it: in sorted tables, tensor bundles and TFRecords.
// Not zlib's CRC-32. Vectors: formats.md 0.2.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#ifdef __SSE4_2__
#include <nmmintrin.h>
#endif

namespace tfpm {

// Below this length the processor's instruction beats the set-up of anything that works on longer
// pieces at once (performance.md 1).
constexpr std::size_t kCrcShort = 256;

// As crc32c_extend() and meant for longer pieces.
std::uint32_t crc32c_extend_long(std::uint32_t crc, std::string_view bytes);

#ifdef __SSE4_2__
// As crc32c_extend(), in place: a record of an event file has two checksums and little else.
inline std::uint32_t crc32c_extend_short(std::uint32_t crc, std::string_view bytes) {
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  std::uint64_t wide = ~crc;
  for (; left >= 8; left -= 8, at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    wide = _mm_crc32_u64(wide, word);
  }
  auto state = static_cast<std::uint32_t>(wide);
  if ((left & 4U) != 0) {
    std::uint32_t word = 0;
    std::memcpy(&word, at, sizeof word);
    state = _mm_crc32_u32(state, word);
    at += sizeof word;
  }
  if ((left & 2U) != 0) {
    std::uint16_t word = 0;
    std::memcpy(&word, at, sizeof word);
    state = _mm_crc32_u16(state, word);
    at += sizeof word;
  }
  if ((left & 1U) != 0) state = _mm_crc32_u8(state, static_cast<unsigned char>(*at));
  return ~state;
}
#endif

// Checksum of `a + b`, given crc = checksum of `a` and bytes = `b`. The checksum of nothing is 0.
inline std::uint32_t crc32c_extend(std::uint32_t crc, std::string_view bytes) {
#ifdef __SSE4_2__
  if (bytes.size() < kCrcShort) return crc32c_extend_short(crc, bytes);
#endif
  return crc32c_extend_long(crc, bytes);
}

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
