#pragma once

#include <string_view>

namespace tfpm {

// Version of the program, "MAJOR.MINOR.PATCH".
std::string_view version();

}  // namespace tfpm
