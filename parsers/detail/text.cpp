#include "parsers/detail/text.h"

#include <algorithm>
#include <charconv>

namespace tfpm {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

// Length of the valid UTF-8 sequence at the front of `s`, 0 when it may not be stored.
std::size_t utf8_length(std::string_view s) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return first == 0 ? 0 : 1;  // NUL would end the text in many SQL functions
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || s.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const unsigned second = byte(1);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool outside = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
  return overlong || outside ? 0 : length;
}

}  // namespace

std::string_view trim(std::string_view text) {
  const auto space = [](char c) { return is_blank(c) || c == '\r' || c == '\n'; };
  while (!text.empty() && space(text.front())) text.remove_prefix(1);
  while (!text.empty() && space(text.back())) text.remove_suffix(1);
  return text;
}

std::string to_lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

bool eat(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::string_view eat_digits(std::string_view& text) {
  std::size_t n = 0;
  while (n < text.size() && is_digit(text[n])) ++n;
  const std::string_view digits = text.substr(0, n);
  text.remove_prefix(n);
  return digits;
}

std::string_view eat_token(std::string_view& text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  std::size_t n = 0;
  while (n < text.size() && !is_blank(text[n])) ++n;
  const std::string_view token = text.substr(0, n);
  text.remove_prefix(n);
  return token;
}

std::optional<std::string_view> between(std::string_view text, std::string_view open,
                                        std::string_view close) {
  const std::size_t at = text.find(open);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + open.size());
  const std::size_t end = text.find(close);
  if (end == std::string_view::npos) return std::nullopt;
  return text.substr(0, end);
}

std::optional<std::int64_t> parse_int(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_hex(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (text.empty() || code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (value > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

std::optional<double> parse_decimal(std::string_view text) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> leading_decimal(std::string_view text) {
  if (text.empty() || (!is_digit(text[0]) && text[0] != '-')) return std::nullopt;
  double value = 0;
  const auto [end, code] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (code != std::errc() || end == text.data()) return std::nullopt;
  return value;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.push_back(trim(text.substr(0, at)));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::vector<std::string_view> split_blanks(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::string_view token = eat_token(text);
    if (token.empty()) return parts;
    parts.push_back(token);
  }
}

std::string strip_ansi(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\x1b' || i + 1 >= text.size() || text[i + 1] != '[') {
      out += text[i];
      continue;
    }
    i += 2;  // parameters and intermediates, then one final byte in '@'..'~'
    while (i < text.size() && (text[i] < '@' || text[i] > '~')) ++i;
  }
  return out;
}

std::string stored_text(std::string_view text, std::size_t max) {
  std::string out;
  out.reserve(std::min(text.size(), max));
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view piece = length == 0 ? kReplacement : text.substr(0, length);
    if (out.size() + piece.size() > max) break;
    out += piece;
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

Value optional_value(const std::optional<std::int64_t>& value) {
  return value ? Value(*value) : null_value();
}

Value optional_value(const std::optional<double>& value) {
  return value ? Value(*value) : null_value();
}

Value optional_value(const std::optional<std::string>& value) {
  return value ? Value(*value) : null_value();
}

}  // namespace tfpm
