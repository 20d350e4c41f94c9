// CRC-32C of long pieces on x86-64 processors that multiply four 64-bit polynomials at once and
// have no 512-bit registers, for which isa-l has no code of its own: the units that multiply and
// the one of the CRC instruction work side by side, at about twice the speed of the latter alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tfpm {

// True when this processor has what crc32c_fold() needs and isa-l nothing better.
bool crc32c_fold_fits();

// Least length that gains anything.
inline constexpr std::size_t kCrcFoldLeast = 4080;

// Takes some bytes, at least kCrcFoldLeast where there are as many, off the front of `bytes` and
// returns the state after them. `state` is a checksum inverted. Only where crc32c_fold_fits().
std::uint32_t crc32c_fold(std::uint32_t state, std::string_view& bytes);

}  // namespace tfpm
