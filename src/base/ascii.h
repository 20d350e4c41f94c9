// Character classes of ASCII, independent of the locale.
#pragma once

namespace tfpm {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
constexpr bool is_alpha(char c) {
  return (c >= 'a' && c <= 'z') || is_upper(c);
}
// Letters, digits and '_'.
constexpr bool is_word(char c) {
  return is_alpha(c) || is_digit(c) || c == '_';
}
constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

}  // namespace tfpm
