// Byte-level helpers of the line readers: digits eight at a time, character classes by comparison.
// All reads are inside the view that is given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/ascii.h"

namespace tfpm {

constexpr int digit_value(char c) {
  return c - '0';
}
constexpr int two_digits(const char* p) {
  return digit_value(p[0]) * 10 + digit_value(p[1]);
}

// Eight bytes as a little-endian number, whatever the machine's order.
inline std::uint64_t load8(const char* p) {
  std::uint64_t word = 0;
  std::memcpy(&word, p, sizeof word);
  if constexpr (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) word = __builtin_bswap64(word);
  return word;
}

// Eight bytes to expect: a digit wherever the text has '0', the same byte elsewhere.
struct Pattern8 {
  std::uint64_t value = 0;
  std::uint64_t digits = 0;  // 0xff where a digit is expected

  explicit constexpr Pattern8(const char (&text)[9]) {
    for (std::size_t i = 0; i < 8; ++i) {
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[i])) << (8 * i);
      if (text[i] == '0') digits |= std::uint64_t{0xff} << (8 * i);
    }
  }
};

// Compares eight bytes at p, all at once.
inline bool matches8(const char* p, const Pattern8& pattern) {
  constexpr std::uint64_t kHigh = 0xf0f0f0f0f0f0f0f0;
  constexpr std::uint64_t kSix = 0x0606060606060606;
  const std::uint64_t diff = load8(p) ^ pattern.value;
  const std::uint64_t values = diff & pattern.digits;
  const std::uint64_t others = diff & ~pattern.digits;
  return (others | (values & kHigh) | ((values + kSix) & kHigh)) == 0;
}

// Number of digits at the start of `text`.
constexpr std::size_t count_digits(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && is_digit(text[n])) ++n;
  return n;
}
constexpr std::size_t count_blanks(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && is_blank(text[n])) ++n;
  return n;
}

// The number `text` consists of; absent when empty, not all digits, or above 18 digits.
constexpr std::optional<std::int64_t> to_int(std::string_view text) {
  if (text.empty() || text.size() > 18) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : text) {
    if (!is_digit(c)) return std::nullopt;
    value = value * 10 + digit_value(c);
  }
  return value;
}

// Length of the ANSI escape sequences (ESC [ ... letter) at the start of `text`.
constexpr std::size_t count_ansi(std::string_view text) {
  std::size_t n = 0;
  while (n + 2 < text.size() && text[n] == '\x1b' && text[n + 1] == '[') {
    std::size_t end = n + 2;
    while (end < text.size() && !is_alpha(text[end]) && text[end] != '\n') ++end;
    if (end == text.size()) break;
    n = end + 1;
  }
  return n;
}

}  // namespace tfpm
