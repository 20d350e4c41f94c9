#include "parsers/detail/shell_quote.h"

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

constexpr int kMaxEscapeLevels = 3;

// One level of backslashes undone, as in a double-quoted shell word or a JSON string.
std::string unescape_once(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && i + 1 < text.size() &&
                        std::string_view("\"\\$`'").find(text[i + 1]) != std::string_view::npos;
    out += escape ? text[++i] : text[i];
  }
  return out;
}

}  // namespace

std::string unquote_shell(std::string_view value) {
  value = trim(value);
  if (eat(value, "$'")) {
    if (!value.empty() && value.back() == '\'') value.remove_suffix(1);
    return unescape_once(value);
  }
  if (value.size() >= 2 && value.front() == '\'' && value.back() == '\'') {
    return std::string(value.substr(1, value.size() - 2));
  }
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
    return unescape_once(value.substr(1, value.size() - 2));
  }
  return std::string(value);
}

std::string_view assigned_word(std::string_view text) {
  if (text.starts_with("$'")) text.remove_prefix(1);
  if (text.empty() || (text[0] != '\'' && text[0] != '"')) return text;
  const char quote = text[0];
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      return text.substr(0, i + 1);
    }
  }
  return text;
}

std::string without_escapes(std::string text) {
  for (int level = 0; level < kMaxEscapeLevels; ++level) {
    const std::size_t quote = text.find('"');
    if (quote == std::string::npos || quote == 0 || text[quote - 1] != '\\') break;
    text = unescape_once(text);
  }
  return text;
}

}  // namespace tfpm
