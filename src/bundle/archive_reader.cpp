#include "bundle/archive_reader.h"

#include <archive_entry.h>

#include <algorithm>
#include <cstring>

namespace tfpm {
namespace {

// Names as UTF-8 when the archive declares them so, else the stored bytes.
std::string entry_path(archive_entry* entry) {
  const char* path = archive_entry_pathname_utf8(entry);
  if (path == nullptr) path = archive_entry_pathname(entry);
  return path == nullptr ? "" : path;
}

std::string link_target(archive_entry* entry, bool hard) {
  const char* path = hard ? archive_entry_hardlink(entry) : archive_entry_symlink(entry);
  return path == nullptr ? "" : path;
}

EntryType entry_type(archive_entry* entry, const std::string& path) {
  if (archive_entry_hardlink(entry) != nullptr) return EntryType::kHardLink;
  switch (archive_entry_filetype(entry)) {
    case AE_IFDIR:
      return EntryType::kDirectory;
    case AE_IFLNK:
      return EntryType::kSymbolicLink;
    case AE_IFREG:
    case 0:  // zip entries of systems without modes
      break;
    default:
      return EntryType::kSpecial;
  }
  return path.ends_with('/') ? EntryType::kDirectory : EntryType::kFile;
}

}  // namespace

ArchiveReader::ArchiveReader(ArchiveKind kind, ByteSource& in, DecodeBudget& budget)
    : input_(in), archive_(archive_read_new()), budget_(budget), kind_(kind) {
  set_up(kind);
}

ArchiveReader::ArchiveReader(ArchiveKind kind, FileSource& file, DecodeBudget& budget)
    : input_(file), archive_(archive_read_new()), budget_(budget), kind_(kind) {
  set_up(kind);
}

void ArchiveReader::set_up(ArchiveKind kind) {
  TFPM_CHECK(archive_ != nullptr);
  archive* a = archive_.get();
  if (kind == ArchiveKind::kZip) {
    archive_read_support_format_zip(a);
  } else {
    archive_read_support_format_tar(a);
  }
  archive_read_support_format_empty(a);
  open_code_ = input_.open(a);
}

Status ArchiveReader::damaged() const {
  const bool cut = input_.at_end();
  return error(ErrorKind::kDamaged, cut ? "the archive was cut" : "the archive is damaged", {},
               archive_failure(archive_.get()));
}

Result<std::optional<ArchiveEntry>> ArchiveReader::next() {
  content_.start(std::nullopt);
  if (ended_) return std::optional<ArchiveEntry>();
  ended_ = true;  // until an entry was found
  if (content_failure_.has_value()) return *content_failure_;
  if (open_code_ < ARCHIVE_WARN) return damaged();
  archive_entry* entry = nullptr;
  int code = ARCHIVE_RETRY;
  // RETRY: this header was unusable, a later one may do. Bounded by the archive's own length.
  while (code == ARCHIVE_RETRY) code = archive_read_next_header(archive_.get(), &entry);
  if (code == ARCHIVE_EOF) {
    if (kind_ == ArchiveKind::kTar && input_.at_end() && !input_.ends_in_zeros()) {
      return error(ErrorKind::kDamaged, "the archive was cut", {}, "it has no end mark");
    }
    return std::optional<ArchiveEntry>();
  }
  if (code < ARCHIVE_WARN) return damaged();
  ended_ = false;
  ArchiveEntry out;
  out.path = entry_path(entry);
  out.type = entry_type(entry, out.path);
  if (archive_entry_size_is_set(entry) != 0 && archive_entry_size(entry) >= 0) {
    out.size = static_cast<std::uint64_t>(archive_entry_size(entry));
  }
  if (out.type == EntryType::kHardLink || out.type == EntryType::kSymbolicLink) {
    out.link = link_target(entry, out.type == EntryType::kHardLink);
  }
  out.encrypted = archive_entry_is_data_encrypted(entry) != 0;
  content_.start(out.size);
  return std::optional<ArchiveEntry>(std::move(out));
}

void ArchiveReader::Content::start(std::optional<std::uint64_t> size) {
  block_ = {};
  hole_ = 0;
  offset_ = 0;
  size_ = size;
  done_ = false;
}

Status ArchiveReader::Content::stop(Status status) {
  done_ = true;
  reader_.content_failure_ = status;
  return status;
}

Result<bool> ArchiveReader::Content::refill() {
  const void* data = nullptr;
  std::size_t size = 0;
  la_int64_t offset = 0;
  while (block_.empty() && hole_ == 0) {
    int code = ARCHIVE_RETRY;
    while (code == ARCHIVE_RETRY) {
      code = archive_read_data_block(reader_.archive_.get(), &data, &size, &offset);
    }
    if (code < ARCHIVE_WARN) return stop(reader_.damaged());
    const bool end = code == ARCHIVE_EOF;
    // A sparse file may end in a hole.
    const std::uint64_t begin = end ? size_.value_or(offset_) : static_cast<std::uint64_t>(offset);
    if (begin > offset_) hole_ = begin - offset_;
    if (!end) block_ = {static_cast<const char*>(data), size};
    offset_ += hole_ + block_.size();
    if (Status s = reader_.budget_.take(hole_ + block_.size()); !s.ok()) return stop(s);
    if (end && hole_ == 0) return false;
  }
  return true;
}

Result<std::size_t> ArchiveReader::Content::read(std::span<char> out) {
  if (done_ || out.empty()) return std::size_t{0};
  const Result<bool> more = refill();
  if (!more.ok()) return more.status();
  if (!*more) {
    done_ = true;
    return std::size_t{0};
  }
  if (hole_ > 0) {
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), hole_));
    std::memset(out.data(), 0, n);
    hole_ -= n;
    return n;
  }
  const std::size_t n = std::min(out.size(), block_.size());
  std::memcpy(out.data(), block_.data(), n);
  block_ = block_.subspan(n);
  return n;
}

}  // namespace tfpm
