// Raw lines of a source: from the store as far as it kept them, else from the bundle.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "store/database.h"

namespace tfpm::cli {

using LineMap = std::map<std::int64_t, std::string>;  // by line number from 1

struct LineRange {
  std::int64_t first = 1;
  std::int64_t last = 1;
  bool complete(const LineMap& lines) const {
    return static_cast<std::int64_t>(lines.size()) == last - first + 1;
  }
};

// What context_line holds of the range.
Result<LineMap> stored_lines(Database& db, std::int64_t source_id, LineRange range);

// Reads the range again from where the bundle was when it was analysed. Empty when it is not there
// any more, has no such member, or is another bundle by now (the line `known` differs).
Result<LineMap> bundle_lines(Database& db, const std::string& source, LineRange range,
                             const LineMap& known);

}  // namespace tfpm::cli
