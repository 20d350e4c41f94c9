// Kinds of files that bundles hold and that are no evidence of a run, or none that can be read.
#pragma once

#include <string_view>

namespace tfpm {

// A sentence about a member that no parser claimed: what it is, why it is not read and, where
// something can be done about it, what. `head`: its first bytes; `path`: its name, which decides
// only where bytes leave it open. A string literal; empty when the kind is not known.
std::string_view describe_file_kind(std::string_view head, std::string_view path);

}  // namespace tfpm
