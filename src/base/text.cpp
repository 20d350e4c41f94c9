#include "base/text.h"

#include <cstdint>

namespace tfpm {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";
constexpr char kEscape = '\x1b';

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

// Bytes of the valid character at text[i]; 0 = not valid there.
std::size_t character_size(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char first = byte(i);
  if (first == 0) return 0;
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || i + size > text.size()) return 0;
  for (std::size_t k = 1; k < size; ++k) {
    if (!is_continuation(text[i + k])) return 0;
  }
  // Overlong forms, surrogates and what lies beyond U+10FFFF.
  if (first == 0xe0 && byte(i + 1) < 0xa0) return 0;
  if (first == 0xed && byte(i + 1) > 0x9f) return 0;
  if (first == 0xf0 && byte(i + 1) < 0x90) return 0;
  if (first == 0xf4 && byte(i + 1) > 0x8f) return 0;
  return size;
}

// Bytes of the escape sequence at text[i], which is ESC.
std::size_t escape_size(std::string_view text, std::size_t i) {
  if (i + 1 >= text.size()) return 1;
  if (text[i + 1] == '[') {
    std::size_t k = i + 2;
    while (k < text.size() && (text[k] < '@' || text[k] > '~')) ++k;
    return (k < text.size() ? k + 1 : k) - i;
  }
  if (text[i + 1] == ']') {
    const std::size_t bell = text.find('\a', i + 2);
    return bell == std::string_view::npos ? 2 : bell + 1 - i;
  }
  return 2;
}

}  // namespace

std::string clean_utf8(std::string_view text, std::size_t max_bytes) {
  std::string out;
  out.reserve(text.size() < max_bytes ? text.size() : max_bytes);
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = character_size(text, i);
    const std::string_view piece = size == 0 ? kReplacement : text.substr(i, size);
    if (out.size() + piece.size() > max_bytes) break;
    out += piece;
    i += size == 0 ? 1 : size;
  }
  return out;
}

void append_without_ansi(std::string_view text, std::string& out) {
  while (true) {
    const std::size_t escape = text.find(kEscape);
    if (escape == std::string_view::npos) break;
    out.append(text.substr(0, escape));
    text.remove_prefix(escape + escape_size(text, escape));
  }
  out.append(text);
}

}  // namespace tfpm
