// Python's repr() of plain values as JSON text.
#pragma once

#include <string>
#include <string_view>

namespace tfpm {

// Single-quoted strings, u'' and b'' prefixes, tuples, True/False/None become their JSON forms;
// everything else is passed on, so broken input stays broken. Never fails.
std::string python_repr_to_json(std::string_view text);

// Length of the balanced {...} or [...] at the front of `text`, strings in either quotes respected;
// 0 when it does not start with a bracket or never closes.
std::size_t balanced_length(std::string_view text);

// The closing brackets and quote that `text` lacks at its end, in order; empty when it is balanced
// or has more closing than opening ones.
std::string missing_closers(std::string_view text);

}  // namespace tfpm
