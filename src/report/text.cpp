#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/text.h"

namespace tfpm::report {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

unsigned char byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

bool is_hidden(std::uint32_t c) {
  const bool bidi = c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
                    (c >= 0x2066 && c <= 0x2069);
  const bool zero_width = c == 0xAD || c == 0x180E || (c >= 0x200B && c <= 0x200D) ||
                          (c >= 0x2060 && c <= 0x2065) || c == 0xFEFF ||
                          (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE007F);
  const bool separator = c == 0x2028 || c == 0x2029;
  return bidi || zero_width || separator || (c >= 0x80 && c <= 0x9F);
}

void append_visible(std::string& out, std::uint32_t c, std::string_view raw, Lines lines) {
  if (c == '\t') {
    out += ' ';
  } else if (c == '\n') {
    out += lines == Lines::kKeep ? '\n' : ' ';
  } else if (c < 0x20 || c == 0x7F) {
    const std::uint32_t picture = c == 0x7F ? 0x21 : c;  // U+2400 + c, U+2421 for DEL
    out += "\xE2\x90";
    out += static_cast<char>(0x80 + picture);
  } else if (is_hidden(c)) {
    out += fmt::format("[U+{:04X}]", c);
  } else {
    out += raw;
  }
}

}  // namespace

std::string_view cut_utf8(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::size_t end = max_bytes;
  while (end > 0 && (byte_at(text, end) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

std::size_t count_chars(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  return count;
}

std::string shorten(std::string_view text, std::size_t max_chars) {
  if (max_chars == 0) return {};
  if (count_chars(text) <= max_chars) return std::string(text);
  std::size_t end = 0;
  for (std::size_t chars = 0; end < text.size(); ++end) {
    if ((byte_at(text, end) & 0xC0) == 0x80) continue;
    if (++chars == max_chars) break;
  }
  return std::string(text.substr(0, end)) + "…";
}

std::string pad_right(std::string text, std::size_t width) {
  const std::size_t chars = count_chars(text);
  if (chars < width) text.append(width - chars, ' ');
  return text;
}

std::string visible(std::string_view text, Lines lines) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    // A carriage return before a line end is part of the line end.
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') {
      ++i;
      continue;
    }
    const std::size_t size = utf8_size(text, i);
    const std::string_view character = text.substr(i, size);
    if (size > 0) {
      append_visible(out, utf8_code(character), character, lines);
    } else {
      out += kReplacement;
    }
    i += std::max<std::size_t>(size, 1);
  }
  return out;
}

}  // namespace tfpm::report
