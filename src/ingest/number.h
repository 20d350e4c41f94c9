// Numbers as training loops print them, read by hand: the inner loop of the learner.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/ascii.h"

namespace tfpm {

constexpr bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
// Bytes of multi-byte characters count as letters of words we may not know.
constexpr bool is_high(char c) {
  return (static_cast<unsigned char>(c) & 0x80U) != 0;
}

// Decimal number with optional sign, fraction and exponent; the whole text must be one. Digits up
// to 2^53 and fractions of up to 22 digits are exact, the rest correctly rounded.
double number_value(std::string_view text);
// 0x1f: the digits behind the prefix.
double hex_value(std::string_view digits);

// A non-finite value written as a word at the start of `text` (nan, inf, Infinity, any case, no
// sign) and its length; nullopt when there is none or letters follow it.
struct NonFinite {
  double value = 0;
  std::size_t length = 0;
};
std::optional<NonFinite> nonfinite_at_start(std::string_view text);

// A duration such as 118ms, 12s, 1h02m, 2d3h at the start of `text` (which begins with a digit).
struct Duration {
  double seconds = 0;
  std::size_t length = 0;
};
std::optional<Duration> duration_at(std::string_view text);

}  // namespace tfpm
