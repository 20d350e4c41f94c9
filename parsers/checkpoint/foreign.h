// What a file is when it is not what its name says: the usual accidents of copying (formats.md 9).
#pragma once

#include <string_view>

namespace tfpm {

// "a Git LFS pointer, not the file itself" and the like; empty when nothing is recognised.
std::string_view describe_foreign(std::string_view bytes);

}  // namespace tfpm
