// A bundle as a sequence of members, whatever it is packed in (contract.md section 1).
//
// Directories, tar (gz, zst, xz, bz2), zip, single files and several arguments give the same member
// paths; compressed members and nested archives are opened on the way. Nothing is extracted to
// disk, nothing in a bundle is followed as a path, and sizes, ratios, depths and counts are limited
// (formats.md 0.7).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "bundle/byte_source.h"
#include "bundle/limits.h"

namespace tfpm {

// One member as it is met. `content` is valid only inside the visit and can be read once.
struct Member {
  std::string path;  // relative to the bundle, '/' separated; nested: 'logs.tar.gz/worker-0.log'; a
                     // compressed member keeps its stored name ('worker-3.log.gz')
  std::string parent;  // path of the nested archive it lies in; empty = directly in the bundle
  std::string
      inner_name;  // path without compression suffixes, for sniffing by name ('worker-3.log')
  std::optional<std::uint64_t> size;  // after decompression; absent when unknown beforehand
  bool is_container = false;          // a nested archive: its members follow as visits of their own
  std::string unread_reason;  // set when it cannot be read at all (permission, special file,
                              // limit); content is null
  ByteSource* content = nullptr;
  // Set for plain files on disk: opens the same content again, also after the visit and from other
  // threads.
  std::function<Result<std::unique_ptr<ByteSource>>()> reopen;
};

// Something wrong while walking (damaged archive, skipped entries), for `problem` rows.
struct BundleProblem {
  std::string path;  // member or archive; empty = the bundle
  std::string code;  // e.g. 'archive-truncated', 'archive-unsafe-path', 'member-unreadable'
  bool data_loss = false;
  std::optional<std::uint64_t> byte_offset;
  std::string detail;
};

struct BundleProgress {
  std::uint64_t bytes_done = 0;   // of the input as stored
  std::uint64_t bytes_total = 0;  // 0 = unknown
  std::uint64_t members_done = 0;
};

class Bundle {
 public:
  using Visit = std::function<Status(Member&)>;
  using OnProblem = std::function<void(const BundleProblem&)>;

  virtual ~Bundle() = default;
  // Opens one or several paths (arguments.h says how their members are named). Fails when a path
  // does not exist, cannot be read, or nothing is in it. Names in archives are listed here, see
  // member_path.h.
  static Result<std::unique_ptr<Bundle>> open(const std::vector<std::string>& paths,
                                              const BundleLimits& limits = {});

  // Name for outputs: last path component without archive suffixes; with several arguments that of
  // the first in order of name and '+N' for the others.
  virtual std::string name() const = 0;
  // Visits every member once, in storage order (directories: path order). The visitor may read
  // `content` or leave it. A visitor's error stops the walk and is returned. May be called again:
  // archives are then read again.
  virtual Status for_each(const Visit& visit, const OnProblem& problem) = 0;
  // May be called from another thread while for_each runs.
  virtual BundleProgress progress() const = 0;
};

// Optional manifest bundle.json (architecture.md section 8). All parts may be empty.
struct ManifestTask {
  std::string task;  // 'worker-3'
  std::string host;
  std::optional<std::int64_t> attempt;
  std::vector<std::string>
      paths;  // globs relative to the bundle: * and ? within a component, ** across
  std::optional<double> utc_offset_s;
};
struct ManifestMarker {
  std::string re;
  std::string edge;
};
struct Manifest {
  std::string job;
  std::vector<ManifestTask> tasks;
  std::vector<std::pair<std::string, std::string>> framework;
  std::vector<ManifestMarker> markers;
  std::string notes;
};
// Unknown keys and wrong types are errors with line and column.
Result<Manifest> parse_manifest(std::string_view json, const std::string& path);
bool glob_matches(std::string_view pattern, std::string_view path);

}  // namespace tfpm
