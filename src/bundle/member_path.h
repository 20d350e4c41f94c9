// Paths of archive entries: which are safe, and which root folder is not part of them.
//
// The contract says that a directory and its archive give the same paths, so a single root folder
// inside an archive is dropped: that of `tar czf x.tgz run7` as well as the `./` of
// `tar czf x.tgz .`. Whether a root is the only one is known at the archive's end only. Entries of
// the archive are therefore listed before they are delivered: an archive file by a pass of its own,
// which ends as soon as a second root is seen and skips contents where the format allows it; an
// archive inside an archive by holding up to BundleLimits::look_ahead of its stored bytes. One that
// is larger keeps all of its paths: a wrong guess would give one folder's files another's names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "bundle/archive_reader.h"

namespace tfpm {

// 'a//b/' -> 'a/b', './a' -> './a' (the dot counts as a root), bytes that are not UTF-8 and control
// characters as \xNN. nullopt when it is absolute, climbs with '..', or names nothing.
std::optional<std::string> clean_path(std::string_view stored);
// Removes `root` (a first component, possibly '.') from a cleaned path; any '.' in front goes too.
std::string without_root(std::string_view path, std::string_view root);

struct ArchiveListing {
  std::string root;           // the only root folder; empty = none or several
  std::uint64_t members = 0;  // entries that are not folders; at least this many when cut short
  std::optional<Status> failure;
};
// Lists an archive until its end, damage, a second root, or `max_members`.
ArchiveListing list_archive(ArchiveReader& reader, std::uint64_t max_members);

}  // namespace tfpm
