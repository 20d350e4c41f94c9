// A temporary file for what does not fit into memory. It has no name: whatever ends the process, it
// is gone.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tfpm {

class SpillFile {
 public:
  struct Extent {
    std::uint64_t offset = 0, size = 0;
  };

  // `folder`: where the file goes once something is written: where the store is, so that it needs
  // the space of the same disk.
  explicit SpillFile(std::string folder) : folder_(std::move(folder)) {}
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  // May be called by several threads. kIo when the file cannot be made or the disk is full.
  Result<Extent> write(std::string_view bytes);
  Result<std::string> read(const Extent& extent) const;

 private:
  Status open();

  std::string folder_;
  std::mutex mutex_;
  int fd_ = -1;
  std::uint64_t end_ = 0;
};

}  // namespace tfpm
