#include "parsers/detail/stack_frames.h"

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxName = 1000;

bool is_address(std::string_view text) {
  return text.starts_with("0x") && parse_hex(text).has_value();
}

// "train.py:120" into file and line; anything else is a file or library without a line.
void set_place(DumpFrame& frame, std::string_view place) {
  const std::size_t colon = place.rfind(':');
  if (colon != std::string_view::npos) {
    frame.file_line = parse_int(place.substr(colon + 1));
    if (frame.file_line) place = place.substr(0, colon);
  }
  if (place != "?") frame.file = std::string(place.substr(0, kMaxName));
}

// FUNC without its trailing argument list: "ns::f (a=1, b=(x))" gives "ns::f".
std::string_view without_arguments(std::string_view function) {
  function = trim(function);
  if (function.empty() || function.back() != ')') return function;
  int depth = 0;
  for (std::size_t i = function.size(); i-- > 0;) {
    if (function[i] == ')') ++depth;
    if (function[i] == '(' && --depth == 0) return trim(function.substr(0, i));
  }
  return function;
}

}  // namespace

std::string DumpFrame::text() const {
  if (file.empty()) return function;
  std::string out = function + " (" + file;
  if (file_line) out += ":" + std::to_string(*file_line);
  return out + ")";
}

std::optional<DumpFrame> parse_py_spy_frame(std::string_view line) {
  if (!line.starts_with("    ") || line.size() < 8 || line[4] == ' ') return std::nullopt;
  line = trim(line);
  const std::size_t open = line.rfind(" (");
  if (open == std::string_view::npos || line.back() != ')') return std::nullopt;
  DumpFrame frame;
  frame.function = std::string(line.substr(0, open).substr(0, kMaxName));
  set_place(frame, line.substr(open + 2, line.size() - open - 3));
  return frame;
}

std::optional<DumpFrame> parse_faulthandler_frame(std::string_view line) {
  std::string_view rest = trim(line);
  if (!eat(rest, "File \"")) return std::nullopt;
  const std::size_t end = rest.find("\", line ");
  if (end == std::string_view::npos) return std::nullopt;
  DumpFrame frame;
  frame.file = std::string(rest.substr(0, end).substr(0, kMaxName));
  rest.remove_prefix(end + 8);
  frame.file_line = parse_int(eat_digits(rest));
  if (!frame.file_line || !eat(rest, " in ")) return std::nullopt;
  frame.function = std::string(rest.substr(0, kMaxName));
  return frame;
}

std::optional<DumpFrame> parse_gdb_frame(std::string_view line) {
  std::string_view rest = line;
  if (!eat(rest, "#") || eat_digits(rest).empty()) return std::nullopt;
  rest = trim(rest);
  std::string_view probe = rest;
  if (is_address(eat_token(probe))) {
    rest = trim(probe);
    eat(rest, "in ");
  }
  if (rest.empty()) return std::nullopt;
  DumpFrame frame;
  const std::size_t at = rest.rfind(") at ");
  const std::size_t from = rest.rfind(") from ");
  if (at != std::string_view::npos) {
    set_place(frame, rest.substr(at + 5));
    rest = rest.substr(0, at + 1);
  } else if (from != std::string_view::npos) {
    frame.file = std::string(rest.substr(from + 7).substr(0, kMaxName));
    rest = rest.substr(0, from + 1);
  }
  frame.function = std::string(without_arguments(rest).substr(0, kMaxName));
  return frame;
}

}  // namespace tfpm
