// What a member's path says about its place in a checkpoint (formats.md 1.1, 1.7, 1.9). A guess by
// name alone: content decides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tfpm {

enum class CheckpointFile {
  kNone,       // no part of a checkpoint, by its name
  kIndex,      // PREFIX.index
  kShard,      // PREFIX.data-00000-of-00001
  kV1Shard,    // PREFIX-00000-of-00001
  kStateFile,  // checkpoint
  kTempPart,   // PREFIX_temp/part-00000-of-00002.index and the like
  kTempState,  // a file that was never renamed to its final name
};

// "-00001-of-00004" behind a name.
struct ShardNumber {
  std::int32_t number = 0;
  std::int32_t count = 1;
};

struct CheckpointFileName {
  CheckpointFile kind = CheckpointFile::kNone;
  std::string prefix;       // the checkpoint it belongs to, as PREFIX would be in the bundle; of a
                            // state file: its directory
  ShardNumber shard;        // of kShard, kV1Shard and kTempPart
  bool temp_index = false;  // kTempPart: the part's index, else its data
  bool unfinished = false;  // kTempPart: never renamed to its final name
  std::string temp;         // kTempPart: the temp directory or part name, distinct per save
};

CheckpointFileName classify_checkpoint_file(std::string_view path);

// "a/b/c" -> "a/b"; "" for a path of one component.
std::string_view directory_of(std::string_view path);
// "a/b/c" -> "c".
std::string_view base_name(std::string_view path);
// Number behind the last '-' of a prefix ("ckpt-40" -> 40).
std::optional<std::int64_t> step_suffix(std::string_view prefix);
// Folder `workertemp_N` in the path, with everything before it; empty when there is none.
std::string_view worker_temp_directory(std::string_view path);

}  // namespace tfpm
