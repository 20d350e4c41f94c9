// After all files have come: state files against what is there, and what is no checkpoint at all.
#include <algorithm>
#include <iterator>

#include "parsers/checkpoint/collector.h"
#include "parsers/checkpoint/layout.h"
#include "parsers/checkpoint/member_name.h"
#include "parsers/checkpoint/partition.h"

namespace tfpm {
namespace {

std::string join_path(std::string_view directory, std::string_view name) {
  std::string out(directory);
  if (!out.empty()) out += '/';
  out += name;
  return out;
}

// Path components in common, counted from the end.
std::size_t common_tail(std::string_view a, std::string_view b) {
  std::size_t count = 0;
  while (!a.empty() && !b.empty() && base_name(a) == base_name(b)) {
    ++count;
    a = directory_of(a);
    b = directory_of(b);
  }
  return count;
}

// The prefix a state file means: without a leading "./" and without the pattern that stands for all
// shards of a V1 checkpoint ("model-?????-of-00002").
std::string_view listed_prefix(std::string_view written) {
  constexpr std::string_view kAnyShard = "\x2d\x3f\x3f\x3f\x3f\x3f-of-";  // no trigraphs
  while (written.starts_with("./")) written.remove_prefix(2);
  return written.substr(0, written.rfind(kAnyShard));
}

// Neither an index of tensors nor anything else that belongs to a checkpoint.
bool is_nothing(const Checkpoint& checkpoint) {
  if (checkpoint.listed || !checkpoint.shards.empty()) return false;
  if (!checkpoint.temp_saves.empty() || !checkpoint.leftovers.empty()) return false;
  if (checkpoint.is_v1()) {
    return std::all_of(checkpoint.v1.begin(), checkpoint.v1.end(), [](const auto& file) {
      return !file.second.readable && file.second.unread.empty() && file.second.faults.empty();
    });
  }
  return !checkpoint.index || (checkpoint.index->parsed && !checkpoint.header);
}

// The tensors of a V1 checkpoint are those of its files.
void settle_v1(Checkpoint& checkpoint) {
  for (auto& [number, file] : checkpoint.v1) {
    std::move(file.tensors.begin(), file.tensors.end(), std::back_inserter(checkpoint.tensors));
    file.tensors.clear();
  }
}

// Tensors nobody could have read: their shard is not there, or ends before them.
void settle_lost(Checkpoint& checkpoint) {
  const ShardLayout layout = shard_layout(checkpoint);
  for (Tensor& tensor : checkpoint.tensors) {
    const bool open = tensor.result.status == TensorStatus::kUnread;
    if (!open || tensor.entry.partitioned()) continue;
    const ShardFile* file = layout.file(tensor.entry.shard);
    const auto begin = static_cast<std::uint64_t>(tensor.entry.offset);
    const auto size = static_cast<std::uint64_t>(tensor.entry.size);
    if (file == nullptr) {
      tensor.result.status = TensorStatus::kMissing;
    } else if (file->size && !file->read && *file->size < begin + size) {
      const bool lost = *file->size <= begin;
      tensor.result.status = lost ? TensorStatus::kMissing : TensorStatus::kShort;
      tensor.result.bytes_read = lost ? 0 : *file->size - begin;
    }
  }
}

}  // namespace

// Bundles are moved, so a path as the training host wrote it is looked for beside the state file
// first, then by its last components anywhere.
Checkpoint* CheckpointCollector::find_listed(const NamedState& state, std::string_view written) {
  const std::string_view listed = listed_prefix(written);
  for (const std::string& candidate :
       {join_path(state.directory, listed), join_path(state.directory, base_name(listed))}) {
    const auto found = checkpoints_.find(candidate);
    if (found != checkpoints_.end()) return &found->second;
  }
  constexpr std::size_t kEnough = 2;  // a name alone may be of another directory
  Checkpoint* best = nullptr;
  std::size_t best_tail = kEnough - 1;
  for (auto& [prefix, checkpoint] : checkpoints_) {
    const std::size_t tail = common_tail(prefix, listed);
    if (tail > best_tail) {
      best = &checkpoint;
      best_tail = tail;
    }
  }
  return best;
}

void CheckpointCollector::apply(const NamedState& state) {
  const auto mark = [&](std::string_view written) -> Checkpoint* {
    Checkpoint* checkpoint = find_listed(state, written);
    if (checkpoint == nullptr) return nullptr;
    checkpoint->listed = true;
    checkpoint->state_path = state.path;
    return checkpoint;
  };
  for (const std::string& path : state.state.paths) mark(path);
  if (!state.state.latest || state.state.latest->empty()) return;
  Checkpoint* latest = mark(*state.state.latest);
  if (latest == nullptr) {
    // Older ones are deleted as a matter of course; the latest should be there.
    latest = &at(join_path(state.directory, base_name(listed_prefix(*state.state.latest))));
    latest->listed = true;
    latest->state_path = state.path;
  }
  latest->latest = true;
  const auto newest = step_suffix(latest->prefix);
  for (auto& [prefix, checkpoint] : checkpoints_) {
    const auto step = step_suffix(prefix);
    const bool beside = directory_of(prefix) == state.directory;
    if (beside && !checkpoint.listed && newest && step && *step < *newest) {
      checkpoint.superseded = true;
    }
  }
}

Checkpoints& CheckpointCollector::settle() {
  std::sort(states_.begin(), states_.end(),
            [](const NamedState& a, const NamedState& b) { return a.path < b.path; });
  for (const NamedState& state : states_) apply(state);
  std::erase_if(checkpoints_, [](const auto& item) { return is_nothing(item.second); });
  for (auto& [prefix, checkpoint] : checkpoints_) {
    if (checkpoint.is_v1()) {
      settle_v1(checkpoint);
    } else {
      settle_lost(checkpoint);
    }
    settle_partitioned(checkpoint);
    const auto by_path = [](const Leftover& a, const Leftover& b) { return a.path < b.path; };
    std::sort(checkpoint.leftovers.begin(), checkpoint.leftovers.end(), by_path);
  }
  return checkpoints_;
}

}  // namespace tfpm
