// `tfpm verify-checkpoint`: one checkpoint or a tree of them on disk, without a bundle or a store.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "parsers/checkpoint_set.h"

namespace tfpm {

struct CheckpointVerifyOptions {
  unsigned threads = 1;  // readers, one shard each
  // Bytes read so far and in all; called about every 32 MiB, never from two threads at once. May be
  // empty.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
};

struct CheckpointVerification {
  std::vector<CheckpointSummary> items;  // in order of prefix, never empty
  std::optional<std::string> last_good;  // prefix to resume from
  std::uint64_t bytes_read = 0;          // of data files
  bool all_usable = false;               // complete, intact, finite: exit code 0, else 1
};

// `path` is a directory (searched with everything below it; links to folders are not followed), a
// state file (standing for its directory), a prefix, or one of a checkpoint's files. Fails when
// there is no checkpoint at it or a directory cannot be read; damage is no failure.
Result<CheckpointVerification> verify_checkpoints(const std::string& path,
                                                  const CheckpointVerifyOptions& options);

// The checkpoint to go back to: of those usable in every directory that holds their step, the one
// of the greatest step; outside workers' own temporary folders where there is a choice.
std::optional<std::string> last_good_checkpoint(const std::vector<CheckpointSummary>& items);

// One screen for people: a line per checkpoint, problems below it. No trailing newline.
std::string to_text(const CheckpointVerification& verification);
// The `checkpoints` object of findings.json (contract.md section 2), indented.
std::string to_json(const CheckpointVerification& verification);

}  // namespace tfpm
