// Frame lines of tracebacks and faulthandler dumps.
#include <array>

#include "ingest/bytes.h"
#include "ingest/traceback.h"

namespace tfpm {

std::optional<StackFrame> parse_frame_line(std::string_view line) {
  constexpr std::string_view kFile = "File \"";
  constexpr std::string_view kLine = "\", line ";
  const std::size_t begin = line.find_first_not_of(" \t|");
  if (begin == std::string_view::npos || !line.substr(begin).starts_with(kFile)) {
    return std::nullopt;
  }
  line.remove_prefix(begin + kFile.size());
  const std::size_t end = line.find(kLine);
  if (end == std::string_view::npos) return std::nullopt;
  StackFrame frame;
  frame.file = line.substr(0, end);
  line.remove_prefix(end + kLine.size());
  const std::size_t digits = count_digits(line);
  const std::optional<std::int64_t> number = to_int(line.substr(0, digits));
  if (!number) return std::nullopt;
  frame.line = *number;
  line.remove_prefix(digits);
  if (line.starts_with(',')) line.remove_prefix(1);
  constexpr std::string_view kIn = " in ";
  if (line.starts_with(kIn)) frame.function = line.substr(kIn.size());
  return frame;
}

bool is_program_file(std::string_view file) {
  constexpr std::array<std::string_view, 9> kForeign = {
      "/site-packages/", "/dist-packages/",     "/lib/python3.", "/lib64/python3.",
      "/lib/python2.",   "/tensorflow/python/", "/keras/src/",   "__autograph_generated_file",
      "/bazel-"};
  if (file.starts_with('<') && file != "<string>" && file != "<stdin>" &&
      !file.starts_with("<ipython-input")) {
    return false;
  }
  for (const std::string_view part : kForeign) {
    if (file.find(part) != std::string_view::npos) return false;
  }
  return true;
}

}  // namespace tfpm
