#include <algorithm>
#include <mutex>

#include "parsers/checkpoint/collector.h"
#include "parsers/checkpoint/judge.h"
#include "parsers/checkpoint/keras_set.h"
#include "parsers/checkpoint/member_name.h"
#include "parsers/checkpoint/replicas.h"
#include "parsers/checkpoint/rows.h"
#include "parsers/checkpoint/shard_reader.h"
#include "parsers/checkpoint/state_file.h"
#include "parsers/checkpoint/step.h"
#include "parsers/checkpoint_set.h"
#include "parsers/detail/v1_table.h"

namespace tfpm {

struct CheckpointSet::Impl {
  CheckpointCollector collector;
  KerasSet keras;
  std::once_flag compared;  // what to keep for a comparison is known once all indexes have come
};

namespace {

std::vector<Tensor*> tensors_of(Checkpoint& checkpoint, std::int32_t shard) {
  std::vector<Tensor*> out;
  for (Tensor& tensor : checkpoint.tensors) {
    if (tensor.entry.shard == shard && !tensor.entry.partitioned()) out.push_back(&tensor);
  }
  return out;
}

// The shard's file, when it is one of the set the index describes.
ShardFile* file_to_read(const std::optional<CheckpointCollector::ShardPlace>& place) {
  if (!place || place->checkpoint->tensors.empty()) return nullptr;
  ShardFiles* files = place->checkpoint->shard_files();
  if (files == nullptr || files != &place->checkpoint->shards[place->count]) return nullptr;
  return &files->at(place->number);
}

// A worker's own folder that holds a whole checkpoint is a copy; one that holds none is left from a
// save that did not end.
bool holds_complete(const std::vector<CheckpointSummary>& summaries, std::string_view folder) {
  return std::any_of(summaries.begin(), summaries.end(), [&](const CheckpointSummary& summary) {
    return summary.completeness == "complete" && summary.prefix.starts_with(folder) &&
           summary.prefix.size() > folder.size() && summary.prefix[folder.size()] == '/';
  });
}

// What an unreadable medium cut off is unknown, not lost.
void forget_unread(const std::vector<Tensor*>& tensors) {
  for (Tensor* tensor : tensors) {
    TensorStatus& status = tensor->result.status;
    if (status == TensorStatus::kShort || status == TensorStatus::kMissing) {
      status = TensorStatus::kUnread;
    }
  }
}

}  // namespace

CheckpointSet::CheckpointSet() : impl_(std::make_unique<Impl>()) {}
CheckpointSet::~CheckpointSet() = default;
CheckpointSet::CheckpointSet(CheckpointSet&&) noexcept = default;
CheckpointSet& CheckpointSet::operator=(CheckpointSet&&) noexcept = default;

void CheckpointSet::accept_any_hdf5() {
  impl_->keras.accept_any_hdf5();
}

bool CheckpointSet::add_member(std::string_view path, std::string_view name,
                               std::optional<std::uint64_t> size, std::span<const char> head) {
  impl_->keras.add_name(name);
  if (impl_->keras.add_list_member(path, name, {head.data(), head.size()})) return true;
  if (impl_->keras.add_member(path, name, {head.data(), head.size()})) return false;
  return impl_->collector.add_member(path, name, size, head);
}

void CheckpointSet::add_content(std::string_view path, std::string_view bytes) {
  if (impl_->keras.has_list(path)) return impl_->keras.add_list(path, bytes);
  impl_->collector.add_content(path, bytes);
}

void CheckpointSet::add_unread(std::string_view path, std::string_view reason) {
  if (impl_->keras.has_list(path)) return impl_->keras.add_unread_list(path, reason);
  impl_->collector.add_unread(path, reason);
}

bool CheckpointSet::wants(std::string_view path) const {
  return impl_->keras.has(path) || file_to_read(impl_->collector.find_shard(path)) != nullptr;
}

void CheckpointSet::read_shard(std::string_view path, ByteStream& in) {
  if (impl_->keras.has(path)) return impl_->keras.read(path, in);
  std::call_once(impl_->compared, [&] { keep_differing(impl_->collector.checkpoints()); });
  const auto place = impl_->collector.find_shard(path);
  ShardFile* file = file_to_read(place);
  if (file == nullptr) return;
  Checkpoint& checkpoint = *place->checkpoint;
  const std::vector<Tensor*> tensors = tensors_of(checkpoint, place->number);
  ShardReadOptions options;
  options.big_endian = checkpoint.header && checkpoint.header->big_endian;
  if (needs_object_graph(checkpoint)) options.keep = kObjectGraphKey;
  ShardReading reading = tfpm::read_shard(in, tensors, options);
  if (!reading.kept.empty()) checkpoint.object_graph = std::move(reading.kept);
  file->read_error = std::move(reading.error);
  file->read = file->read_error.empty();
  if (file->read) {
    file->size = reading.bytes;
  } else {
    forget_unread(tensors);
  }
}

CheckpointReport CheckpointSet::finish() {
  CheckpointReport out;
  Checkpoints& checkpoints = impl_->collector.settle();
  ReplicaRows differences = compare_replicas(checkpoints);
  for (auto& [prefix, checkpoint] : checkpoints) {
    CheckpointVerdict verdict = judge(checkpoint);
    if (verdict.problem.empty()) impl_->keras.judge_export(prefix, verdict);
    // A remainder that names no checkpoint is no checkpoint.
    if (!prefix.empty()) {
      CheckpointSummary summary;
      out.groups.push_back(checkpoint_group(checkpoint, verdict, summary));
      for (Row& row : differences[prefix]) out.groups.back().rows.push_back(std::move(row));
      out.summaries.push_back(std::move(summary));
    }
    for (const Leftover& leftover : checkpoint.leftovers) {
      out.groups.push_back(leftover_group(leftover.path, leftover, prefix));
    }
  }
  for (const auto& [folder, member] : impl_->collector.worker_temps()) {
    if (holds_complete(out.summaries, folder)) continue;
    out.groups.push_back(leftover_group(member, {folder, "workertemp", 0}, {}));
  }
  impl_->keras.finish(out);
  return out;
}

bool is_checkpoint_member(std::string_view name, std::span<const char> head) {
  const std::string_view bytes(head.data(), head.size());
  if (is_keras_file(name, bytes, false) || is_weight_map(name, bytes)) return true;
  switch (classify_checkpoint_file(name).kind) {
    case CheckpointFile::kIndex:
    case CheckpointFile::kShard:
    case CheckpointFile::kTempPart:
    case CheckpointFile::kTempState:
      return true;
    case CheckpointFile::kStateFile:
    case CheckpointFile::kV1Shard:
    case CheckpointFile::kNone:
      break;
  }
  return looks_like_state_file(bytes) || table_kind_by_head(bytes) != TableKind::kNone;
}

std::string checkpoint_prefix_of(std::string_view path) {
  const CheckpointFileName file = classify_checkpoint_file(path);
  return file.kind == CheckpointFile::kNone ? std::string(path) : file.prefix;
}

}  // namespace tfpm
