#include "base/utf8_lower.h"

#include <cstdint>

namespace tfpm {
namespace {

constexpr bool is_even(std::uint32_t code) {
  return code % 2 == 0;
}

// Code points of two UTF-8 bytes (U+0080..U+07FF); the result needs two bytes as well.
std::uint32_t lower_code(std::uint32_t code) {
  if (code >= 0xC0 && code <= 0xDE && code != 0xD7) return code + 0x20;  // À..Þ
  if (code >= 0x100 && code <= 0x137) return code != 0x130 && is_even(code) ? code + 1 : code;
  if (code >= 0x139 && code <= 0x148) return is_even(code) ? code : code + 1;  // Ĺ..ň
  if (code >= 0x14A && code <= 0x177) return is_even(code) ? code + 1 : code;
  if (code >= 0x179 && code <= 0x17E) return is_even(code) ? code : code + 1;
  if (code >= 0x391 && code <= 0x3A9) return code + 0x20;  // Α..Ω
  if (code >= 0x400 && code <= 0x40F) return code + 0x50;  // Ѐ..Џ
  if (code >= 0x410 && code <= 0x42F) return code + 0x20;  // А..Я
  return code;
}

}  // namespace

std::string utf8_lower(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 'A' && byte <= 'Z') {
      out += static_cast<char>(byte + 0x20);
      continue;
    }
    const bool pair = byte >= 0xC2 && byte <= 0xDF && i + 1 < text.size() &&
                      (static_cast<unsigned char>(text[i + 1]) & 0xC0U) == 0x80;
    if (!pair) {
      out += static_cast<char>(byte);
      continue;
    }
    const auto second = static_cast<unsigned char>(text[++i]);
    const std::uint32_t code = lower_code(((byte & 0x1FU) << 6U) | (second & 0x3FU));
    out += static_cast<char>(0xC0U | (code >> 6U));
    out += static_cast<char>(0x80U | (code & 0x3FU));
  }
  return out;
}

}  // namespace tfpm
