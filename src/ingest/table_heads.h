// Lines of column heads above tables of bare numbers (algorithms.md section 1.9, rule 3).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tfpm {

// The columns a line of heads would name: cut at `|`, `;`, `,`, tabs or two blanks where it has
// them, else at blanks. Empty when the line looks like no such line (fewer than two columns).
std::vector<std::string> split_heads(std::string_view line);

}  // namespace tfpm
