#include "report/text.h"

#include <fmt/format.h>

#include <cstdint>

namespace tfpm::report {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct Decoded {
  std::uint32_t code = 0;
  std::size_t bytes = 1;  // of the character, or of the maximal wrong part
  bool valid = false;
};

unsigned char byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

// Bounds of the second byte: they exclude overlong forms, surrogates and too great values.
bool second_byte_fits(unsigned char lead, unsigned char next) {
  switch (lead) {
    case 0xE0:
      return next >= 0xA0 && next <= 0xBF;
    case 0xED:
      return next >= 0x80 && next <= 0x9F;
    case 0xF0:
      return next >= 0x90 && next <= 0xBF;
    case 0xF4:
      return next >= 0x80 && next <= 0x8F;
    default:
      return next >= 0x80 && next <= 0xBF;
  }
}

std::size_t length_of(unsigned char lead) {
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

Decoded decode(std::string_view text, std::size_t at) {
  const unsigned char lead = byte_at(text, at);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = length_of(lead);
  if (length == 0) return {};
  std::uint32_t code = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (at + i >= text.size()) return {0, i, false};
    const unsigned char next = byte_at(text, at + i);
    const bool fits = i == 1 ? second_byte_fits(lead, next) : (next & 0xC0) == 0x80;
    if (!fits) return {0, i, false};
    code = (code << 6) | (next & 0x3FU);
  }
  return {code, length, true};
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
    const Decoded c = decode(text, i);
    if (c.valid) {
      append_visible(out, c.code, text.substr(i, c.bytes), lines);
    } else {
      out += kReplacement;
    }
    i += c.bytes;
  }
  return out;
}

}  // namespace tfpm::report
