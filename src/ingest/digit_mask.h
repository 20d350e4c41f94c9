// Digits replaced by '0', eight bytes at a time: texts that differ in numbers only become equal.
#pragma once

#include <cstdint>

namespace tfpm {

// Eight bytes of text with every ASCII digit replaced by '0'; other bytes stay.
constexpr std::uint64_t mask_digits8(std::uint64_t bytes) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHigh = 0x80 * kOnes;
  const std::uint64_t low7 = bytes & ~kHigh;
  const std::uint64_t at_least_0 = low7 + (0x80 - '0') * kOnes;
  const std::uint64_t above_9 = low7 + (0x80 - ('9' + 1)) * kOnes;
  const std::uint64_t digit = at_least_0 & ~above_9 & ~bytes & kHigh;
  const std::uint64_t whole = (digit >> 7) * 0xff;
  return (bytes & ~whole) | (('0' * kOnes) & whole);
}

}  // namespace tfpm
