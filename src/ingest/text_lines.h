// Line by line through a record's text.
#pragma once

#include <string_view>

namespace tfpm {

// Moves the next line of `rest` into `line` (without its '\n'); false at the end.
inline bool next_line(std::string_view& rest, std::string_view& line) {
  if (rest.empty()) return false;
  const std::size_t end = rest.find('\n');
  line = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return true;
}

inline std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

}  // namespace tfpm
