// Sorts a bundle's checkpoint files into checkpoints as they come in.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/checkpoint/member_name.h"
#include "parsers/checkpoint/model.h"
#include "parsers/checkpoint/state_file.h"

namespace tfpm {

class CheckpointCollector {
 public:
  // As in CheckpointSet.
  bool add_member(std::string_view path, std::string_view name, std::optional<std::uint64_t> size,
                  std::span<const char> head);
  void add_content(std::string_view path, std::string_view bytes);
  void add_unread(std::string_view path, std::string_view reason);

  // A shard that has come: its checkpoint and number. Null when the path is no shard.
  struct ShardPlace {
    Checkpoint* checkpoint = nullptr;
    std::int32_t count = 0;
    std::int32_t number = 0;
  };
  std::optional<ShardPlace> find_shard(std::string_view path) const;

  // Folders `workertemp_N` with the first member met in each.
  using WorkerTemps = std::map<std::string, std::string, std::less<>>;
  const WorkerTemps& worker_temps() const { return worker_temps_; }

  // All so far, for what is decided between the passes.
  Checkpoints& checkpoints() { return checkpoints_; }

  // Applies state files and drops what turned out to be no checkpoint. After all members have come.
  Checkpoints& settle();

 private:
  // What a member is that was asked for whole.
  enum class ContentKind { kIndex, kV1, kStateFile };
  struct Pending {
    ContentKind kind = ContentKind::kIndex;
    Checkpoint* checkpoint = nullptr;  // null for state files
    std::int32_t number = 0;           // of V1 files
    std::string name;
  };
  struct NamedState {
    std::string path;
    std::string directory;
    StateFile state;
  };

  bool add_index(std::string_view path, std::string_view name, Checkpoint& checkpoint,
                 std::optional<std::uint64_t> size);
  void add_shard(std::string_view path, Checkpoint& checkpoint, ShardNumber shard,
                 std::optional<std::uint64_t> size);
  void add_temp_part(std::string_view path, const CheckpointFileName& file, std::uint64_t size);
  bool add_by_content(std::string_view path, std::string_view name,
                      std::optional<std::uint64_t> size, std::string_view head);
  Checkpoint& at(std::string_view prefix);
  bool expect(std::string_view path, Pending pending, std::optional<std::uint64_t> size);
  void add_index_content(IndexFile& index, Checkpoint& checkpoint, std::string_view bytes);
  void add_v1_content(Checkpoint& checkpoint, std::int32_t number, std::string_view bytes);
  void apply(const NamedState& state);
  Checkpoint* find_listed(const NamedState& state, std::string_view written);

  Checkpoints checkpoints_;  // nodes stay where they are: pointers into it are kept
  std::map<std::string, ShardPlace, std::less<>> shards_;
  std::map<std::string, Pending, std::less<>> pending_;
  std::vector<NamedState> states_;
  WorkerTemps worker_temps_;
  std::size_t kept_tensors_ = 0;
};

}  // namespace tfpm
