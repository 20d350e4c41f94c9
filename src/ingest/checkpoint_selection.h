// Which files on disk a path given to verify-checkpoint means.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace tfpm {

struct FoundFile {
  std::string path;
  std::uint64_t size = 0;  // bytes
};

struct CheckpointSelection {
  std::vector<FoundFile> files;  // in order of path
  std::string prefix;            // the only checkpoint to report; empty = all of them
};

// `path` as in verify_checkpoints(). Fails when a directory cannot be read.
Result<CheckpointSelection> select_checkpoint_files(const std::string& path);

}  // namespace tfpm
