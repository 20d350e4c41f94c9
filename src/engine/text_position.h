// Line and column of a byte in a rule file, and the snippet shown with a caret.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tfpm {

struct TextPosition {
  std::size_t line = 1;    // from 1
  std::size_t column = 1;  // in bytes, from 1
};

TextPosition position_of(std::string_view text, std::size_t offset);
// A broken rule file: `where` becomes "origin:line:column", the snippet shows the line with a
// caret.
Status rule_error(std::string_view text, const std::string& origin, std::size_t offset,
                  std::string what, std::string why = {}, std::string help = {});

}  // namespace tfpm
