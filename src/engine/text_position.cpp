#include "engine/text_position.h"

#include <fmt/format.h>

#include <algorithm>

namespace tfpm {

TextPosition position_of(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  const std::string_view before = text.substr(0, offset);
  const std::size_t last_newline = before.rfind('\n');
  TextPosition pos;
  pos.line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  pos.column = last_newline == std::string_view::npos ? offset + 1 : offset - last_newline;
  return pos;
}

Status rule_error(std::string_view text, const std::string& origin, std::size_t offset,
                  std::string what, std::string why, std::string help) {
  const TextPosition pos = position_of(text, offset);
  const std::size_t start = std::min(offset, text.size()) - (pos.column - 1);
  const std::string_view line = text.substr(start, text.find('\n', start) - start);
  Diagnostic d;
  d.kind = ErrorKind::kRule;
  d.what = std::move(what);
  d.where = fmt::format("{}:{}:{}", origin, pos.line, pos.column);
  d.why = std::move(why);
  d.help = std::move(help);
  // Long lines (patterns) are shown around the column only.
  const std::size_t from = pos.column > 60 ? pos.column - 60 : 0;
  d.snippet = fmt::format("  {:>4} | {}\n       | {}^", pos.line, line.substr(from, 120),
                          std::string(pos.column - 1 - from, ' '));
  return d;
}

}  // namespace tfpm
