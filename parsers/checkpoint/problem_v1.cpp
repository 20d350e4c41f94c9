// The clause about V1 files.
#include <fmt/format.h>

#include "parsers/checkpoint/phrases.h"
#include "parsers/checkpoint/problem_text.h"

namespace tfpm {

std::string describe_v1(const Checkpoint& checkpoint) {
  if (!checkpoint.is_v1()) return {};
  std::vector<std::string> items;
  for (const auto& [number, file] : checkpoint.v1) {
    const std::string name = name_of(file.path);
    if (!file.unread.empty()) {
      items.push_back(fmt::format("{} was not read: {}", name, printable(file.unread)));
    } else if (!file.faults.empty()) {
      items.push_back(fmt::format("{} is damaged at byte {}: {}", name,
                                  file.faults.front().byte_offset, file.faults.front().detail));
    }
  }
  const auto missing = static_cast<std::size_t>(checkpoint.v1_count) - checkpoint.v1.size();
  if (missing > 0) {
    items.push_back(fmt::format("{} of {} missing", missing,
                                counted(static_cast<std::uint64_t>(checkpoint.v1_count), "file")));
  }
  return join_some(items);
}

}  // namespace tfpm
