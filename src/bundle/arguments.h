// The paths of a command line as parts of one bundle.
//
// One argument: its members have their own paths. Several: a file is known by its name, the members
// of a directory or archive go below its name without archive suffixes (`tfpm analyze host-a.tgz
// host-b.tgz` gives `host-a/...` and `host-b/...`). Equal names are made different by as many
// parent folders as it takes (`a/worker.log`, `b/worker.log`). Order does not matter: parts are
// sorted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "bundle/directory.h"
#include "bundle/limits.h"

namespace tfpm {

enum class PartKind { kFile, kDirectory, kArchive };

struct BundlePart {
  PartKind kind = PartKind::kFile;
  std::string disk_path;
  std::string name;                  // unique among the parts
  std::string root;                  // of an archive: folder to drop (member_path.h)
  std::uint64_t stored_bytes = 0;    // sum of the files on disk
  std::vector<DirectoryFile> files;  // of a directory
};

// Looks at every path. An error names the first that is missing, unreadable, empty or given twice.
Result<std::vector<BundlePart>> resolve_arguments(const std::vector<std::string>& paths,
                                                  const BundleLimits& limits);

}  // namespace tfpm
