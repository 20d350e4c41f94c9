// Delivers the members of files and archives, opening what is packed on the way.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>

#include "bundle/archive_reader.h"
#include "bundle/bundle.h"
#include "bundle/file_source.h"
#include "bundle/format.h"
#include "bundle/limits.h"
#include "bundle/member_path.h"
#include "bundle/peek_source.h"

namespace tfpm {

// Shared between the walking thread and whoever shows progress.
struct WalkCounters {
  std::atomic<std::uint64_t> bytes_done{0};
  std::atomic<std::uint64_t> bytes_total{0};
  std::atomic<std::uint64_t> members_done{0};
};

// Stored bytes with their compression taken off.
struct OpenedStream {
  std::unique_ptr<PeekSource> content;  // decompressed
  FileSource* plain_file = nullptr;     // the file below when nothing is compressed, else null
  std::string inner_name;               // path without suffixes of the layers taken off
  bool compressed = false;
  ArchiveKind archive = ArchiveKind::kNone;
};
// `file` is `in` when that is a file, else null. `budget` must outlive the result.
OpenedStream open_stream(const std::string& path, std::unique_ptr<ByteSource> in, FileSource* file,
                         DecodeBudget& budget);

// An archive at the top of a bundle as open() found it.
struct ArchiveArgument {
  std::string disk_path;
  std::string prefix;  // put before its members' paths, with '/' when not empty
  std::string root;    // root folder that is dropped (member_path.h)
};

class Walker {
 public:
  using Visit = std::function<Status(Member&)>;
  using OnProblem = std::function<void(const BundleProblem&)>;

  // Everything must outlive the walker.
  Walker(const BundleLimits& limits, DecodeBudget& budget, WalkCounters& counters,
         const Visit& visit, const OnProblem& problem)
      : limits_(limits), budget_(budget), counters_(counters), visit_(visit), problem_(problem) {}

  // A file on disk that is a member, packed or not.
  Status file(const std::string& disk_path, const std::string& member_path);
  // An archive on disk whose members belong directly to the bundle.
  Status archive(const ArchiveArgument& argument);
  // A member that cannot be read.
  Status unread(Member member, std::string reason, bool lost);

 private:
  // Where entries of an archive go.
  struct Place {
    std::string prefix;     // before their paths
    std::string container;  // Member::parent, also for problems; empty = the bundle itself
    std::string root;
    int depth = 0;
  };

  // `disk_path`: where the stored bytes can be read again; empty inside archives.
  Status stored(Member member, std::unique_ptr<ByteSource> in, FileSource* file,
                const std::string& disk_path, int depth);
  Status entries(OpenedStream& opened, const Place& place);
  Status entry(ArchiveReader& reader, const ArchiveEntry& entry, const Place& place,
               std::unordered_set<std::string>& seen);
  Status deliver(Member& member);
  // Root folder of an archive inside an archive; `stored` keeps all its bytes.
  std::string nested_root(const std::string& path, PeekSource& stored);
  void archive_failed(const ArchiveReader& reader, const Place& place, const Status& status);

  const BundleLimits& limits_;
  DecodeBudget& budget_;
  WalkCounters& counters_;
  const Visit& visit_;
  const OnProblem& problem_;
  std::uint64_t archive_members_ = 0;
};

// Reads the names in an archive file (list_archive), from its beginning.
ArchiveListing list_archive_file(const std::string& disk_path, const BundleLimits& limits,
                                 DecodeBudget& budget);

}  // namespace tfpm
