// Feeds libarchive from our sources: its read, skip and seek callbacks.
#pragma once

#include <archive.h>

#include <memory>
#include <vector>

#include "bundle/byte_source.h"
#include "bundle/file_source.h"

namespace tfpm {

struct ArchiveCloser {
  void operator()(archive* a) const { archive_read_free(a); }
};
using ArchiveHandle = std::unique_ptr<archive, ArchiveCloser>;

// What the callbacks work on; must outlive the archive that was opened on it.
class ArchiveInput {
 public:
  // `in` is read from where it stands; both must outlive this.
  explicit ArchiveInput(ByteSource& in);
  // A whole file: entries that nobody reads are skipped by seeking.
  explicit ArchiveInput(FileSource& file);

  // Attaches the callbacks and opens `a`. The libarchive result code.
  int open(archive* a);
  // The last bytes read were a block of zeros: how a tar archive ends.
  bool ends_in_zeros() const { return tail_is_zero_; }
  // Bytes handed over so far, as libarchive sees them (after decompression).
  std::uint64_t bytes() const { return bytes_; }
  bool at_end() const { return at_end_; }

 private:
  static la_ssize_t on_read(archive* a, void* self, const void** buffer);
  static la_int64_t on_skip(archive* a, void* self, la_int64_t request);
  static la_int64_t on_seek(archive* a, void* self, la_int64_t offset, int whence);
  void look_at_tail(std::size_t size);

  ByteSource& in_;
  FileSource* file_ = nullptr;
  std::vector<char> buffer_;
  std::uint64_t bytes_ = 0;
  bool tail_is_zero_ = false;
  bool at_end_ = false;
};

// libarchive's text for the last failure of `a`.
std::string archive_failure(archive* a);

}  // namespace tfpm
