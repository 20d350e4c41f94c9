#include "parsers/detail/environment_tools.h"

#include <algorithm>
#include <array>

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

// How `nvcc --version` and `ldd --version` begin their other lines.
constexpr std::array<std::string_view, 8> kChatter = {"nvcc: NVIDIA (R) Cuda compiler driver",
                                                      "Copyright (c) ",
                                                      "Copyright (C) ",
                                                      "Built on ",
                                                      "Build cuda_",
                                                      "This is free software; see the source",
                                                      "warranty; not even for MERCHANTABILITY",
                                                      "Written by Roland McGrath"};

// "(0x00007f3a5c000000)" at the end of `text`; taken off.
bool eat_address(std::string_view& text) {
  const std::size_t open = text.rfind("(0x");
  if (open == std::string_view::npos || !text.ends_with(")")) return false;
  if (!parse_hex(text.substr(open + 1, text.size() - open - 2))) return false;
  text = trim(text.substr(0, open));
  return true;
}

bool is_library(std::string_view name) {
  return contains(name, ".so") && !contains(name, " ") && name.size() <= 200;
}

}  // namespace

std::optional<EnvironmentEntry> read_linked_library(std::string_view line) {
  line = trim(line);
  const std::size_t arrow = line.find(" => ");
  if (arrow == std::string_view::npos) return std::nullopt;
  const std::string_view name = line.substr(0, arrow);
  std::string_view where = trim(line.substr(arrow + 4));
  if (!is_library(name)) return std::nullopt;
  if (where != "not found" && (!eat_address(where) || !where.starts_with("/"))) return std::nullopt;
  return EnvironmentEntry{"lib:" + clean_utf8(name, 200), clean_utf8(where, 1000)};
}

bool is_tool_chatter(std::string_view line) {
  line = trim(line);
  if (line == "statically linked" || line == "not a dynamic executable") return true;
  if (std::any_of(kChatter.begin(), kChatter.end(),
                  [&](std::string_view begin) { return line.starts_with(begin); })) {
    return true;
  }
  // The loader and the kernel's part: no file was looked for. A file's name heads its list.
  if (line.ends_with(":") && is_library(line.substr(0, line.size() - 1))) return true;
  return eat_address(line) && is_library(line);
}

}  // namespace tfpm
