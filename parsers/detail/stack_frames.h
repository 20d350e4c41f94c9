// Frame lines of py-spy, faulthandler, gdb and eu-stack (formats.md 8.2-8.4).
#pragma once

#include <optional>
#include <string_view>

#include "parsers/detail/stack_types.h"

namespace tfpm {

// "    gate (train.py:120)", "    select (libc.so.6)"; exactly four blanks of indent.
std::optional<DumpFrame> parse_py_spy_frame(std::string_view line);
// "  File \"/app/data.py\", line 51 in _read".
std::optional<DumpFrame> parse_faulthandler_frame(std::string_view line);
// "#1  0x00007f.. in FUNC (ARGS) at FILE:LINE", "#0  0x.. in FUNC () from LIB", "#2  0x.. FUNC".
std::optional<DumpFrame> parse_gdb_frame(std::string_view line);

}  // namespace tfpm
