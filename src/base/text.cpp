#include "base/text.h"

namespace tfpm {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";
constexpr char kEscape = '\x1b';

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}
// Bytes of the escape sequence at text[i], which is ESC (ECMA-48 section 5).
std::size_t escape_size(std::string_view text, std::size_t i) {
  if (i + 1 >= text.size()) return 1;
  std::size_t k = i + 1;
  if (text[k] == '[') {
    ++k;
    while (k < text.size() && (text[k] < '@' || text[k] > '~')) ++k;
  } else if (text[k] == ']') {
    // Ends with BEL or with ESC '\'; one that does not end is no sequence but its two bytes.
    const std::size_t end = text.find_first_of("\a\x1b", i + 2);
    if (end == std::string_view::npos) return 2;
    if (text[end] == '\a') return end + 1 - i;
    return end + 1 < text.size() && text[end + 1] == '\\' ? end + 2 - i : 2;
  } else {
    // `ESC ( B` as `tput sgr0` writes it: intermediate bytes, then the final one.
    while (k < text.size() && text[k] >= ' ' && text[k] <= '/') ++k;
  }
  return (k < text.size() ? k + 1 : k) - i;
}

}  // namespace

std::size_t utf8_size(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char first = byte(i);
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

std::uint32_t utf8_code(std::string_view character) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(character[k]); };
  if (character.size() == 1) return byte(0);
  std::uint32_t code = byte(0) & (0xffU >> (character.size() + 1));
  for (std::size_t k = 1; k < character.size(); ++k) code = (code << 6) | (byte(k) & 0x3fU);
  return code;
}

std::string clean_utf8(std::string_view text, std::size_t max_bytes) {
  std::string out;
  out.reserve(text.size() < max_bytes ? text.size() : max_bytes);
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = text[i] == '\0' ? 0 : utf8_size(text, i);
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
