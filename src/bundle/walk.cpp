#include "bundle/walk.h"

#include "bundle/decompress.h"
#include "bundle/member_path.h"

namespace tfpm {
namespace {

// Layers of compression around one member (`x.log.gz.zst`); more is not an accident.
constexpr int kMaxLayers = 3;
constexpr std::size_t kProbeBytes = std::size_t{64} << 10;

// Bytes of a tensor may begin like a gzip file. Unless the name says so too, the head must decode.
bool really_compressed(Compression kind, PeekSource& content) {
  DecodeBudget budget(BundleLimits{}, 0);
  const auto decoder =
      make_decompressor(kind, std::make_unique<MemorySource>(content.peek(kProbeBytes)), budget);
  char byte = 0;
  const Result<std::size_t> n = decoder->read(std::span(&byte, 1));
  return n.ok() && *n == 1;
}

ArchiveReader make_reader(OpenedStream& opened, DecodeBudget& budget) {
  if (opened.plain_file == nullptr) return {opened.archive, *opened.content, budget};
  // Detection read from the file; the archive starts over and may seek.
  (void)opened.plain_file->seek(0);
  return {opened.archive, *opened.plain_file, budget};
}

}  // namespace

OpenedStream open_stream(const std::string& path, std::unique_ptr<ByteSource> in, FileSource* file,
                         DecodeBudget& budget) {
  OpenedStream out;
  out.content = std::make_unique<PeekSource>(std::move(in));
  out.inner_name = path;
  for (int layer = 0; layer < kMaxLayers; ++layer) {
    const Compression kind = detect_compression(out.content->peek(kDetectBytes));
    if (kind == Compression::kNone) break;
    const bool named = compression_of_name(out.inner_name) == kind;
    if (!named && !really_compressed(kind, *out.content)) break;
    if (named) out.inner_name = strip_compression_suffix(out.inner_name);
    out.content =
        std::make_unique<PeekSource>(make_decompressor(kind, std::move(out.content), budget));
    out.compressed = true;
  }
  out.archive = detect_archive(out.content->peek(kDetectBytes), out.inner_name);
  out.plain_file = out.compressed ? nullptr : file;
  return out;
}

ArchiveListing list_archive_file(const std::string& disk_path, const BundleLimits& limits,
                                 DecodeBudget& budget) {
  ArchiveListing out;
  Result<std::unique_ptr<FileSource>> file = FileSource::open(disk_path);
  if (!file.ok()) {
    out.failure = file.status();
    return out;
  }
  FileSource* raw = file->get();
  OpenedStream opened = open_stream(disk_path, std::move(*file), raw, budget);
  ArchiveReader reader = make_reader(opened, budget);
  return list_archive(reader, limits.archive_members);
}

Status Walker::deliver(Member& member) {
  TFPM_RETURN_IF_ERROR(visit_(member));
  counters_.members_done.fetch_add(1, std::memory_order_relaxed);
  return ok_status();
}

Status Walker::unread(Member member, std::string reason, bool lost) {
  if (lost && problem_) {
    problem_({member.path, "member-unreadable", true, std::nullopt, reason});
  }
  member.unread_reason = std::move(reason);
  member.content = nullptr;
  return deliver(member);
}

Status Walker::file(const std::string& disk_path, const std::string& member_path) {
  Member member;
  member.path = member_path;
  member.inner_name = member_path;
  Result<std::unique_ptr<FileSource>> file = FileSource::open(disk_path, &counters_.bytes_done);
  if (!file.ok()) return unread(std::move(member), file.status().diagnostic().why, true);
  FileSource* raw = file->get();
  member.size = raw->size();
  const std::uint64_t end = counters_.bytes_done.load() + raw->size();
  const Status status = stored(std::move(member), std::move(*file), raw, disk_path, 0);
  counters_.bytes_done.store(end);
  return status;
}

Status Walker::stored(Member member, std::unique_ptr<ByteSource> in, FileSource* file,
                      const std::string& disk_path, int depth) {
  Place place;
  auto stored = std::make_unique<PeekSource>(std::move(in));
  if (disk_path.empty()) place.root = nested_root(member.path, *stored);
  OpenedStream opened = open_stream(member.path, std::move(stored), file, budget_);
  member.inner_name = opened.inner_name;
  if (opened.compressed) member.size.reset();
  if (opened.archive == ArchiveKind::kNone) {
    member.content = opened.content.get();
    if (opened.plain_file != nullptr) {
      member.reopen = [disk_path]() -> Result<std::unique_ptr<ByteSource>> {
        Result<std::unique_ptr<FileSource>> again = FileSource::open(disk_path);
        if (!again.ok()) return again.status();
        return std::unique_ptr<ByteSource>(std::move(*again));
      };
    }
    return deliver(member);
  }
  if (depth >= limits_.depth) {
    return unread(std::move(member),
                  "more than " + std::to_string(limits_.depth) + " archives inside each other",
                  true);
  }
  if (!disk_path.empty()) place.root = list_archive_file(disk_path, limits_, budget_).root;
  member.is_container = true;
  TFPM_RETURN_IF_ERROR(visit_(member));
  place.prefix = member.path + "/";
  place.container = member.path;
  place.depth = depth + 1;
  return entries(opened, place);
}

std::string Walker::nested_root(const std::string& path, PeekSource& stored) {
  DecodeBudget budget(limits_, limits_.look_ahead);
  const auto open = [&](std::span<const char> bytes) {
    return open_stream(path, std::make_unique<MemorySource>(bytes), nullptr, budget);
  };
  if (open(stored.peek(kProbeBytes)).archive == ArchiveKind::kNone) return {};
  const std::span<const char> bytes = stored.peek(limits_.look_ahead);
  if (bytes.size() == limits_.look_ahead) return {};
  OpenedStream opened = open(bytes);
  ArchiveReader reader = make_reader(opened, budget);
  return list_archive(reader, limits_.archive_members).root;
}

Status Walker::archive(const ArchiveArgument& argument) {
  Result<std::unique_ptr<FileSource>> file =
      FileSource::open(argument.disk_path, &counters_.bytes_done);
  if (!file.ok()) return file.status();
  FileSource* raw = file->get();
  const std::uint64_t end = counters_.bytes_done.load() + raw->size();
  OpenedStream opened = open_stream(argument.disk_path, std::move(*file), raw, budget_);
  Place place;
  place.prefix = argument.prefix.empty() ? "" : argument.prefix + "/";
  place.container = argument.prefix;
  place.root = argument.root;
  const Status status = entries(opened, place);
  counters_.bytes_done.store(end);
  return status;
}

void Walker::archive_failed(const ArchiveReader& reader, const Place& place, const Status& status) {
  const Diagnostic& d = status.diagnostic();
  const char* code = d.kind == ErrorKind::kLimit ? "archive-limit"
                     : reader.at_end()           ? "archive-truncated"
                                                 : "archive-damaged";
  std::string detail = d.what + (d.why.empty() ? "" : ": " + d.why);
  detail += " (after " + std::to_string(reader.offset()) + " bytes); members behind are lost";
  if (problem_) problem_({place.container, code, true, reader.offset(), std::move(detail)});
}

Status Walker::entries(OpenedStream& opened, const Place& place) {
  ArchiveReader reader = make_reader(opened, budget_);
  std::unordered_set<std::string> seen;
  for (;;) {
    const Result<std::optional<ArchiveEntry>> next = reader.next();
    if (!next.ok()) {
      archive_failed(reader, place, next.status());
      return ok_status();
    }
    if (!next->has_value()) return ok_status();
    if ((*next)->type == EntryType::kDirectory) continue;
    if (++archive_members_ > limits_.archive_members) {
      const std::string most = std::to_string(limits_.archive_members);
      archive_failed(reader, place,
                     error(ErrorKind::kLimit, "more than " + most + " entries in archives"));
      return ok_status();
    }
    TFPM_RETURN_IF_ERROR(entry(reader, **next, place, seen));
  }
}

Status Walker::entry(ArchiveReader& reader, const ArchiveEntry& entry, const Place& place,
                     std::unordered_set<std::string>& seen) {
  const auto refuse = [&](const char* code, const std::string& detail) {
    if (problem_) problem_({place.container, code, true, std::nullopt, detail});
    return ok_status();
  };
  const std::optional<std::string> path = clean_path(entry.path);
  if (!path.has_value()) {
    return refuse("archive-unsafe-path",
                  "skipped an entry whose path is empty, absolute or climbs "
                  "out with '..': '" +
                      entry.path + "'");
  }
  Member member;
  member.path = place.prefix + without_root(*path, place.root);
  member.parent = place.container;
  member.inner_name = member.path;
  if (!seen.insert(member.path).second) {
    return refuse("archive-duplicate-path",
                  "skipped a second entry of the same name: '" + member.path + "'");
  }
  switch (entry.type) {
    case EntryType::kSymbolicLink:
      return unread(std::move(member), "symbolic link to " + entry.link + ": not followed", false);
    case EntryType::kHardLink:
      return unread(std::move(member), "hard link to " + entry.link + ": read there", false);
    case EntryType::kSpecial:
      return unread(std::move(member), "device, pipe or socket: not read", false);
    case EntryType::kDirectory:
    case EntryType::kFile:
      break;
  }
  if (entry.encrypted) return unread(std::move(member), "encrypted", true);
  member.size = entry.size;
  return stored(std::move(member), std::make_unique<BorrowedSource>(reader.content()), nullptr, {},
                place.depth);
}

}  // namespace tfpm
