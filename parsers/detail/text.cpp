#include "parsers/detail/text.h"

#include <algorithm>
#include <charconv>

namespace tfpm {
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
  append_without_ansi(text, out);
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
