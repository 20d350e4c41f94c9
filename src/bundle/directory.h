// Files of a directory tree, in path order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace tfpm {

struct DirectoryFile {
  std::string path;  // relative to the root, '/' separated, as stored
  std::uint64_t size = 0;
  std::string unread_reason;  // empty = a regular file
  bool lost = false;          // unread though it may hold evidence (not a link or special file)
};

// Lists everything below `root` that is not a directory, sorted by bytes of the path. Links are
// listed, never followed: one that stays inside the tree names a file that is listed anyway, one
// that leaves it is not part of the bundle. Folders that cannot be listed appear with their reason.
// The outputs of earlier analyses, in `root` or below, are left out: they are no evidence.
Result<std::vector<DirectoryFile>> list_directory(const std::string& root);

}  // namespace tfpm
