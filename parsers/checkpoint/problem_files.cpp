// Clauses about files: absent, temporary, unreadable, missing, of the wrong length.
#include <fmt/format.h>

#include "parsers/checkpoint/layout.h"
#include "parsers/checkpoint/member_name.h"
#include "parsers/checkpoint/phrases.h"
#include "parsers/checkpoint/problem_text.h"

namespace tfpm {
namespace {

std::string name_of(std::string_view path) {
  return printable(base_name(path));
}

// "ckpt-7_temp: 1 of 2 parts is written, part 1 is not".
std::string describe_parts(std::string_view temp, const std::map<std::int32_t, TempPart>& parts) {
  const std::int32_t count = parts.begin()->second.count;
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

bool all_parts_written(const std::map<std::int32_t, TempPart>& parts) {
  std::int32_t whole = 0;
  for (const auto& [number, part] : parts) whole += part.has_index && part.has_data ? 1 : 0;
  return whole == parts.begin()->second.count;
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

std::string describe_missing_shards(const Checkpoint& checkpoint) {
  std::vector<std::string> missing;
  std::vector<std::string> tensors;
  std::uint64_t bytes = 0;
  const ShardLayout layout = shard_layout(checkpoint);
  for (const ShardExpectation& shard : layout.shards) {
    if (shard.file != nullptr || shard.tensors == 0) continue;
    missing.push_back(name_of(shard_path(checkpoint, shard.number)));
  }
  for (const Tensor& tensor : checkpoint.tensors) {
    if (tensor.result.status != TensorStatus::kMissing || tensor.entry.partitioned()) continue;
    if (layout.file(tensor.entry.shard) != nullptr) continue;
    tensors.push_back(short_label(tensor.entry));
    bytes += static_cast<std::uint64_t>(tensor.entry.size);
  }
  if (missing.empty()) return {};
  return fmt::format("{} of {} missing ({}), with {} of {} bytes: {}", missing.size(),
                     counted(static_cast<std::uint64_t>(checkpoint.shard_count()), "shard"),
                     join_some(missing), counted(tensors.size(), "tensor"), bytes,
                     join_some(tensors));
}

std::string describe_short_shards(const Checkpoint& checkpoint) {
  std::string out;
  for (const ShardExpectation& shard : shard_layout(checkpoint).shards) {
    if (!shard.is_short()) continue;
    std::vector<std::string> cut;
    std::vector<std::string> lost;
    std::uint64_t intact = 0;
    for (const Tensor& tensor : checkpoint.tensors) {
      if (tensor.entry.shard != shard.number || tensor.entry.partitioned()) continue;
      const TensorStatus status = tensor.result.status;
      if (status == TensorStatus::kOk) ++intact;
      if (status == TensorStatus::kMissing) lost.push_back(short_label(tensor.entry));
      if (status == TensorStatus::kShort) {
        cut.push_back(fmt::format("{} (cut after {} of {} bytes)", short_label(tensor.entry),
                                  tensor.result.bytes_read, tensor.entry.size));
      }
    }
    if (!out.empty()) out += "; ";
    out += fmt::format("{} is cut: {} of {} bytes, {} intact", name_of(shard.file->path),
                       *shard.file->size, shard.expected, counted(intact, "tensor"));
    if (!cut.empty()) out += ", partly lost " + join_some(cut);
    if (!lost.empty()) out += ", wholly lost " + join_some(lost);
  }
  return out;
}

std::string describe_long_shards(const Checkpoint& checkpoint) {
  std::string out;
  for (const ShardExpectation& shard : shard_layout(checkpoint).shards) {
    if (!shard.is_long()) continue;
    if (!out.empty()) out += "; ";
    out += fmt::format(
        "{} is {} bytes longer than its index describes: something was appended, or "
        "it is of another save",
        name_of(shard.file->path), *shard.file->size - shard.expected);
  }
  return out;
}

std::string describe_shard_sets(const Checkpoint& checkpoint) {
  std::string out;
  if (checkpoint.shards.size() > 1) {
    std::vector<std::string> counts;
    for (const auto& [count, files] : checkpoint.shards) {
      counts.push_back(fmt::format("{} of {}", files.size(), count));
    }
    out = "data files of several saves share the prefix (" + join_some(counts) + ")";
  } else if (checkpoint.header && checkpoint.shards.size() == 1 &&
             checkpoint.shards.begin()->first != checkpoint.header->shards) {
    out = fmt::format("the index counts {}, the files' names say {}: TensorFlow cannot open them",
                      counted(static_cast<std::uint64_t>(checkpoint.header->shards), "shard"),
                      checkpoint.shards.begin()->first);
  }
  return out;
}

std::string describe_read_errors(const Checkpoint& checkpoint) {
  std::string out;
  for (const auto& [count, files] : checkpoint.shards) {
    for (const auto& [number, file] : files) {
      if (file.read_error.empty()) continue;
      if (!out.empty()) out += "; ";
      out += fmt::format("{} could not be read to its end: {}", name_of(file.path),
                         printable(file.read_error));
    }
  }
  return out;
}

}  // namespace tfpm
