// Varints straight from memory that may be read eight bytes beyond its end, as the window of
// WireStream may: no loop over bytes, and one branch that matters. For the inner loop of profiles.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace tfpm {

// The varint at `at`, which moves behind it; false when it reaches beyond `end` or has more than
// ten bytes.
inline bool fast_varint(const char*& at, const char* end, std::uint64_t& value) {
  if constexpr (std::endian::native == std::endian::little) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    const std::uint64_t stops = ~word & 0x8080808080808080U;
    if (stops != 0) {
      // Keeps the bytes up to the first without its top bit, then closes the gaps of one bit, of
      // two, of four.
      word &= (stops ^ (stops - 1)) & 0x7f7f7f7f7f7f7f7fU;
      word = ((word & 0x7f007f007f007f00U) >> 1) | (word & 0x007f007f007f007fU);
      word = ((word & 0x3fff00003fff0000U) >> 2) | (word & 0x00003fff00003fffU);
      value = ((word & 0x0fffffff00000000U) >> 4) | (word & 0x000000000fffffffU);
      at += (std::countr_zero(stops) >> 3) + 1;
      return at <= end;
    }
  }
  value = 0;
  for (unsigned shift = 0; shift < 70 && at < end; shift += 7) {
    const auto byte = static_cast<unsigned char>(*at++);
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

}  // namespace tfpm
