// Clauses about data files: missing, of the wrong length, of several saves, unreadable.
#include <fmt/format.h>

#include "parsers/checkpoint/layout.h"
#include "parsers/checkpoint/phrases.h"
#include "parsers/checkpoint/problem_text.h"

namespace tfpm {

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
