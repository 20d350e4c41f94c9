// Clauses about saves that did not end and indexes that do not read.
#include <fmt/format.h>

#include <algorithm>

#include "parsers/checkpoint/member_name.h"
#include "parsers/checkpoint/phrases.h"
#include "parsers/checkpoint/problem_text.h"

namespace tfpm {
namespace {

using Parts = std::map<std::int32_t, TempPart>;

std::int32_t part_count(const Parts& parts) {
  std::int32_t count = 1;
  for (const auto& [number, part] : parts) count = std::max(count, part.count);
  return count;
}

// "ckpt-7_temp: 1 of 2 parts is written, part 1 is not".
std::string describe_parts(std::string_view temp, const Parts& parts) {
  const std::int32_t count = part_count(parts);
  std::int32_t whole = 0;
  std::uint64_t bytes = 0;
  std::vector<std::string> unfinished;
  for (std::int32_t i = 0; i < count; ++i) {
    const auto part = parts.find(i);
    if (part != parts.end()) bytes += part->second.bytes;
    if (part != parts.end() && part->second.has_index) {
      ++whole;
    } else if (unfinished.size() < 100) {
      unfinished.push_back(std::to_string(i));
    }
  }
  std::string out = fmt::format("{}: {} of {} written, {} bytes", name_of(temp), whole,
                                counted(static_cast<std::uint64_t>(count), "part"), bytes);
  if (!unfinished.empty()) out += ", no index of part " + join_some(unfinished);
  return out;
}

bool all_parts_written(const Parts& parts) {
  std::int32_t whole = 0;
  for (const auto& [number, part] : parts) whole += part.has_index && part.has_data ? 1 : 0;
  return whole == part_count(parts);
}

// Whether part indexes are there from which a lost or damaged index can be made again.
std::string rebuild_hint(const Checkpoint& checkpoint) {
  for (const auto& [temp, parts] : checkpoint.temp_saves) {
    for (const auto& [number, part] : parts) {
      if (part.has_index)
        return fmt::format("; the part indexes in {} can rebuild it", name_of(temp));
    }
  }
  return {};
}

}  // namespace

std::string describe_absent(const Checkpoint& checkpoint) {
  return fmt::format(
      "the state file {} names it as the latest, but none of its files is here: "
      "deleted, written elsewhere, or not copied",
      printable(checkpoint.state_path));
}

std::string describe_temp_only(const Checkpoint& checkpoint) {
  std::vector<std::string> saves;
  bool mergeable = false;
  for (const auto& [temp, parts] : checkpoint.temp_saves) {
    saves.push_back(describe_parts(temp, parts));
    mergeable = mergeable || all_parts_written(parts);
  }
  for (const Leftover& left : checkpoint.leftovers) {
    if (left.kind == "tempstate") {
      saves.push_back(fmt::format("{}: {} bytes, never renamed", name_of(left.path), left.bytes));
    }
  }
  std::string out = "only temporary files of its save are left (" + join_some(saves) + "): ";
  out += mergeable ? "the process died after all parts were written and before they were merged"
                   : "the process died while the data was being written";
  if (checkpoint.temp_saves.size() > 1) out += "; several saves were under way for one prefix";
  return out;
}

std::string describe_data_without_index(const Checkpoint& checkpoint) {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  for (const auto& [count, set] : checkpoint.shards) {
    files += set.size();
    for (const auto& [number, file] : set) bytes += file.size.value_or(0);
  }
  std::string out = fmt::format("{} of {} bytes without {}.index, which a save writes last",
                                counted(files, "data file"), bytes, name_of(checkpoint.prefix));
  const std::string hint = rebuild_hint(checkpoint);
  if (!hint.empty()) return out + ": the save died while merging its parts" + hint;
  if (checkpoint.superseded) {
    return out +
           ": newer checkpoints replaced it, so most likely its deletion was interrupted "
           "(the index goes first)";
  }
  return out + ": the save died before its last stage, or the index was lost in copying";
}

std::string describe_index(const Checkpoint& checkpoint) {
  const IndexFile& index = *checkpoint.index;
  if (!index.unread.empty()) return "its index could not be read: " + printable(index.unread);
  if (!index.parsed) return "its index was not read";
  std::string out;
  if (!index.foreign.empty()) {
    out = "its index is " + index.foreign;
  } else if (!index.faults.empty()) {
    out = fmt::format("its index {} is damaged at byte {}: {}", name_of(index.path),
                      index.faults.front().byte_offset, index.faults.front().detail);
    if (index.faults.size() > 1) {
      out += fmt::format(" (and {} more)", counted(index.faults.size() - 1, "fault"));
    }
  } else {
    out = "its index is a sorted table, but not of tensors";
  }
  if (!checkpoint.tensors.empty()) {
    out += "; what it says of " + counted(checkpoint.tensors.size(), "tensor") + " could be read";
  }
  return out + rebuild_hint(checkpoint);
}

}  // namespace tfpm
