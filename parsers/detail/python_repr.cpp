#include "parsers/detail/python_repr.h"

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

// Copies the string literal that starts at text[i] (a quote) as a JSON string; returns the index
// behind it.
std::size_t copy_string(std::string_view text, std::size_t i, std::string& out) {
  const char quote = text[i];
  out += '"';
  for (++i; i < text.size() && text[i] != quote; ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      const char next = text[++i];
      if (next == '\'') {
        out += '\'';  // JSON knows no \'
      } else {
        out += '\\';
        out += next;
      }
    } else if (text[i] == '"') {
      out += "\\\"";
    } else {
      out += text[i];
    }
  }
  if (i < text.size()) out += '"';
  return i + 1;
}

// Words of Python and their JSON spelling; unknown words stay.
std::string_view json_word(std::string_view word) {
  if (word == "True") return "true";
  if (word == "False") return "false";
  if (word == "None") return "null";
  return word;
}

}  // namespace

std::string python_repr_to_json(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 16);
  std::size_t i = 0;
  while (i < text.size()) {
    const char c = text[i];
    if (c == '\'' || c == '"') {
      i = copy_string(text, i, out);
    } else if (is_word(c)) {
      std::size_t n = 1;
      while (i + n < text.size() && is_word(text[i + n])) ++n;
      const bool prefix = (c == 'u' || c == 'b') && n == 1 && i + 1 < text.size() &&
                          (text[i + 1] == '\'' || text[i + 1] == '"');
      if (!prefix) out += json_word(text.substr(i, n));
      i += n;
    } else {
      out += c == '(' ? '[' : c == ')' ? ']' : c;
      ++i;
    }
  }
  return out;
}

std::size_t balanced_length(std::string_view text) {
  int depth = 0;
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == '\\') {
        ++i;
      } else if (c == quote) {
        quote = '\0';
      }
      continue;
    }
    if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (--depth == 0) return i + 1;
    }
    if (depth == 0) return 0;
  }
  return 0;
}

std::string missing_closers(std::string_view text) {
  std::string closers;  // innermost last
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == '\\') {
        ++i;
      } else if (c == quote) {
        quote = '\0';
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '{' || c == '[') {
      closers += c == '{' ? '}' : ']';
    } else if (c == '}' || c == ']') {
      if (closers.empty()) return {};
      closers.pop_back();
    }
  }
  if (quote != '\0') closers += quote;
  return {closers.rbegin(), closers.rend()};
}

}  // namespace tfpm
