#pragma once

#include <string>
#include <string_view>

namespace tfpm::cli {

// An RE2 expression that matches the message and others that differ from it only in numbers, hex
// ids, paths and addresses.
std::string pattern_from_line(std::string_view message);

}  // namespace tfpm::cli
