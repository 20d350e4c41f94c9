// How much of a member's first bytes a line reader knows: what the sniffs of line formats count.
#pragma once

#include <algorithm>
#include <cstddef>

#include "parsers/detail/line_reader.h"
#include "parsers/detail/text.h"
#include "parsers/parser.h"

namespace tfpm {

struct LineShare {
  std::size_t hits = 0;     // lines the reader took
  std::size_t foreign = 0;  // lines it did not; blank ones and a cut last line count nowhere
  // Output of a tool on its own, with at most a foreign line or two: a log that quotes such output
  // stays a log.
  bool is_whole() const { return hits > 0 && foreign <= std::max<std::size_t>(1, hits / 20); }
};

// `take(line)` tells whether the line (a TextLine) is of the format.
template <typename Take>
LineShare count_lines(const SniffInput& input, std::size_t max_lines, const Take& take) {
  LineShare share;
  for (const TextLine& line : split_lines({input.head.data(), input.head.size()}, max_lines)) {
    if (trim(line.text).empty() || (line.unterminated && !input.complete)) continue;
    ++(take(line) ? share.hits : share.foreign);
  }
  return share;
}

// "# $ ibstat", "$ ethtool -S eth0", "+ free -m": a command written down above its output; the
// command without its mark, empty for other lines.
inline std::string_view command_line(std::string_view line) {
  line = trim(line);
  if (line.starts_with("# $ ")) return line.substr(4);
  if (line.starts_with("$ ") || line.starts_with("+ ")) return trim(line.substr(2));
  return {};
}

}  // namespace tfpm
