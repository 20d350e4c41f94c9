// unescape_json(): the only place where a JSON string's escapes are undone on the log path.
#include <cstdint>

#include "ingest/bytes.h"
#include "ingest/lines.h"

namespace tfpm {
namespace {

constexpr std::uint32_t kReplacement = 0xfffd;

// Value of four hex digits at the start of `text`, or -1.
std::int32_t hex4(std::string_view text) {
  if (text.size() < 4) return -1;
  std::int32_t value = 0;
  for (const char c : text.substr(0, 4)) {
    const char low = static_cast<char>(c | 0x20);
    if (is_digit(c)) {
      value = value * 16 + digit_value(c);
    } else if (low >= 'a' && low <= 'f') {
      value = value * 16 + (low - 'a' + 10);
    } else {
      return -1;
    }
  }
  return value;
}

void append_utf8(std::uint32_t code, std::string& out) {
  const auto byte = [&out](std::uint32_t value) { out.push_back(static_cast<char>(value)); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xc0 | (code >> 6));
    byte(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    byte(0xe0 | (code >> 12));
    byte(0x80 | ((code >> 6) & 0x3f));
    byte(0x80 | (code & 0x3f));
  } else {
    byte(0xf0 | (code >> 18));
    byte(0x80 | ((code >> 12) & 0x3f));
    byte(0x80 | ((code >> 6) & 0x3f));
    byte(0x80 | (code & 0x3f));
  }
}

// `text` is behind "\u"; returns how much of it was used, 0 when it is no escape.
std::size_t append_unicode(std::string_view text, std::string& out) {
  const std::int32_t first = hex4(text);
  if (first < 0) return 0;
  const auto code = static_cast<std::uint32_t>(first);
  if (code < 0xd800 || code > 0xdfff) {
    append_utf8(code, out);
    return 4;
  }
  if (code < 0xdc00 && text.substr(4).starts_with("\\u")) {
    const std::int32_t second = hex4(text.substr(6));
    if (second >= 0xdc00 && second <= 0xdfff) {
      append_utf8(0x10000 + ((code - 0xd800) << 10) + (static_cast<std::uint32_t>(second) - 0xdc00),
                  out);
      return 10;
    }
  }
  append_utf8(kReplacement, out);
  return 4;
}

// What a one-letter escape stands for; NUL when it is none.
char simple_escape(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case '"':
    case '\\':
    case '/':
      return c;
    default:
      return '\0';
  }
}

}  // namespace

void unescape_json(std::string_view text, std::string& out) {
  out.clear();
  out.reserve(text.size());
  std::size_t pos = 0;
  while (pos < text.size()) {
    const std::size_t slash = text.find('\\', pos);
    out.append(text.substr(pos, slash - pos));
    if (slash == std::string_view::npos) return;
    pos = slash + 2;
    const char kind = slash + 1 < text.size() ? text[slash + 1] : '\0';
    if (kind == 'u') {
      const std::size_t used = append_unicode(text.substr(pos), out);
      if (used == 0) out.append("\\u");
      pos += used;
    } else if (const char plain = simple_escape(kind); plain != '\0') {
      out.push_back(plain);
    } else {
      out.push_back('\\');
      pos = slash + 1;  // the byte behind it, if any, is kept as it is
    }
  }
}

}  // namespace tfpm
