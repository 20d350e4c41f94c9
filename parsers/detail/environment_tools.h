// What compilers and linkers print about themselves and about libraries (log-formats.md 11).
#pragma once

#include <optional>
#include <string_view>

#include "parsers/detail/environment_lines.h"

namespace tfpm {

// A line of `ldd`: "libcudnn.so.8 => not found", "libc.so.6 => /lib/libc.so.6 (0x...)". The
// component is "lib:NAME", the version the path or 'not found'.
std::optional<EnvironmentEntry> read_linked_library(std::string_view line);

// Lines around the one that says the version: copyrights, build stamps, what `ldd` says of the
// loader itself.
bool is_tool_chatter(std::string_view line);

}  // namespace tfpm
