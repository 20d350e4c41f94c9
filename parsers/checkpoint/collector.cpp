#include "parsers/checkpoint/collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "parsers/checkpoint/foreign.h"
#include "parsers/checkpoint/member_name.h"
#include "parsers/checkpoint_set.h"
#include "parsers/detail/v1_table.h"

namespace tfpm {
namespace {

// What is kept of a tensor until the rows are written is some hundred bytes.
constexpr std::size_t kMaxTensorsInAll = 2'000'000;

std::string_view as_text(std::span<const char> bytes) {
  return {bytes.data(), bytes.size()};
}

}  // namespace

Checkpoint& CheckpointCollector::at(std::string_view prefix) {
  const auto found = checkpoints_.find(prefix);
  if (found != checkpoints_.end()) return found->second;
  Checkpoint& made = checkpoints_[std::string(prefix)];
  made.prefix = prefix;
  return made;
}

bool CheckpointCollector::expect(std::string_view path, Pending pending,
                                 std::optional<std::uint64_t> size) {
  pending_[std::string(path)] = std::move(pending);
  if (!size || *size <= kMaxCheckpointContent) return true;
  add_unread(path,
             fmt::format("it has {} bytes, at most {} are read", *size, kMaxCheckpointContent));
  return false;
}

bool CheckpointCollector::add_member(std::string_view path, std::string_view name,
                                     std::optional<std::uint64_t> size,
                                     std::span<const char> head) {
  const CheckpointFileName file = classify_checkpoint_file(name);
  const std::string_view worker_temp = worker_temp_directory(name);
  if (!worker_temp.empty()) {
    std::string& first = worker_temps_.emplace(worker_temp, path).first->second;
    if (path < first) first = path;
  }
  switch (file.kind) {
    case CheckpointFile::kIndex:
      return add_index(path, name, at(file.prefix), size);
    case CheckpointFile::kShard:
      add_shard(path, at(file.prefix), file.shard, size);
      return false;
    case CheckpointFile::kTempPart:
      add_temp_part(path, file, size.value_or(0));
      return false;
    case CheckpointFile::kTempState:
      at(file.prefix).leftovers.push_back({std::string(path), "tempstate", size.value_or(0)});
      return false;
    case CheckpointFile::kStateFile:
      return expect(path, {ContentKind::kStateFile, nullptr, 0, std::string(name)}, size);
    case CheckpointFile::kV1Shard:
    case CheckpointFile::kNone:
      break;
  }
  return add_by_content(path, name, size, as_text(head));
}

// Of two members that are the same file ("ckpt-1.index" and "ckpt-1.index.gz") the first by name
// counts, in whatever order they come.
bool CheckpointCollector::add_index(std::string_view path, std::string_view name,
                                    Checkpoint& checkpoint, std::optional<std::uint64_t> size) {
  if (checkpoint.index && checkpoint.index->path < path) return false;
  IndexFile& index = checkpoint.index.emplace();
  index.path = path;
  index.size = size;
  checkpoint.header.reset();
  checkpoint.tensors.clear();
  return expect(path, {ContentKind::kIndex, &checkpoint, 0, std::string(name)}, size);
}

void CheckpointCollector::add_shard(std::string_view path, Checkpoint& checkpoint,
                                    ShardNumber shard, std::optional<std::uint64_t> size) {
  ShardFile& file = checkpoint.shards[shard.count][shard.number];
  if (!file.path.empty() && file.path < path) return;
  shards_.erase(file.path);
  file = {std::string(path), size, false, {}};
  shards_[file.path] = {&checkpoint, shard.count, shard.number};
}

void CheckpointCollector::add_temp_part(std::string_view path, const CheckpointFileName& file,
                                        std::uint64_t size) {
  Checkpoint& checkpoint = at(file.prefix);
  checkpoint.leftovers.push_back({std::string(path), "temp-part", size});
  TempPart& part = checkpoint.temp_saves[file.temp][file.shard.number];
  part.count = std::max(part.count, file.shard.count);
  if (!file.temp_index) part.bytes = std::max(part.bytes, size);
  if (!file.unfinished) (file.temp_index ? part.has_index : part.has_data) = true;
}

bool CheckpointCollector::add_by_content(std::string_view path, std::string_view name,
                                         std::optional<std::uint64_t> size, std::string_view head) {
  if (looks_like_state_file(head)) {
    return expect(path, {ContentKind::kStateFile, nullptr, 0, std::string(name)}, size);
  }
  if (table_kind_by_head(head) != TableKind::kV1) return false;
  const CheckpointFileName file = classify_checkpoint_file(name);
  const bool sharded = file.kind == CheckpointFile::kV1Shard;
  Checkpoint& checkpoint = at(sharded ? std::string_view(file.prefix) : name);
  if (sharded) checkpoint.v1_count = std::max(checkpoint.v1_count, file.shard.count);
  V1File& v1 = checkpoint.v1[file.shard.number];
  if (!v1.path.empty() && v1.path < path) return false;
  v1.path = path;
  v1.size = size;
  return expect(path, {ContentKind::kV1, &checkpoint, file.shard.number, std::string(name)}, size);
}

void CheckpointCollector::add_unread(std::string_view path, std::string_view reason) {
  const auto found = pending_.find(path);
  if (found == pending_.end()) return;
  const Pending& pending = found->second;
  if (pending.kind == ContentKind::kIndex && pending.checkpoint->index->path == path) {
    pending.checkpoint->index->unread = reason;
  }
  if (pending.kind == ContentKind::kV1) pending.checkpoint->v1[pending.number].unread = reason;
  pending_.erase(found);
}

void CheckpointCollector::add_content(std::string_view path, std::string_view bytes) {
  const auto found = pending_.find(path);
  if (found == pending_.end()) return;
  const Pending pending = std::move(found->second);
  pending_.erase(found);
  switch (pending.kind) {
    case ContentKind::kIndex:
      if (pending.checkpoint->index->path != path) break;  // another of its name came later
      add_index_content(*pending.checkpoint->index, *pending.checkpoint, bytes);
      break;
    case ContentKind::kV1:
      add_v1_content(*pending.checkpoint, pending.number, bytes);
      break;
    case ContentKind::kStateFile:
      states_.push_back(
          {std::string(path), std::string(directory_of(pending.name)), parse_state_file(bytes)});
      break;
  }
}

void CheckpointCollector::add_index_content(IndexFile& index, Checkpoint& checkpoint,
                                            std::string_view bytes) {
  BundleIndex content = read_bundle_index(bytes);
  index.size = bytes.size();
  index.parsed = true;
  index.state = content.state;
  index.faults = std::move(content.faults);
  index.foreign = describe_foreign(bytes);
  checkpoint.header = content.header;
  kept_tensors_ += content.tensors.size();
  if (kept_tensors_ > kMaxTensorsInAll) {
    kept_tensors_ -= content.tensors.size();
    index.state = IndexState::kPartial;
    index.unread =
        fmt::format("the bundle's checkpoints have more than {} tensors in all", kMaxTensorsInAll);
    return;
  }
  for (TensorEntry& entry : content.tensors)
    checkpoint.tensors.push_back({std::move(entry), {}, 0, {}});
}

void CheckpointCollector::add_v1_content(Checkpoint& checkpoint, std::int32_t number,
                                         std::string_view bytes) {
  V1Table content = read_v1_table(bytes);
  V1File& file = checkpoint.v1[number];
  file.size = bytes.size();
  // A damaged block may be the one that says what the table is: the head was a V1 file's.
  file.readable = content.readable && (content.is_v1 || !content.faults.empty());
  file.faults = std::move(content.faults);
  for (V1Tensor& tensor : content.tensors) {
    TensorResult result;
    result.status = !content.readable  ? TensorStatus::kUnread
                    : tensor.has_value ? TensorStatus::kOk
                                       : TensorStatus::kMissing;
    result.nonfinite = tensor.nonfinite;
    result.scalar = tensor.scalar;
    file.tensors.push_back({std::move(tensor.entry), result, 0, {}});
  }
}

std::optional<CheckpointCollector::ShardPlace> CheckpointCollector::find_shard(
    std::string_view path) const {
  const auto found = shards_.find(path);
  if (found == shards_.end()) return {};
  return found->second;
}

}  // namespace tfpm
