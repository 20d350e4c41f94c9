// Tar and zip entries, one after the other, through libarchive's block API.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bundle/archive_input.h"
#include "bundle/format.h"
#include "bundle/limits.h"

struct archive_entry;

namespace tfpm {

enum class EntryType { kFile, kDirectory, kSymbolicLink, kHardLink, kSpecial };

struct ArchiveEntry {
  std::string path;  // as stored; may be hostile
  EntryType type = EntryType::kFile;
  std::optional<std::uint64_t> size;  // of files; absent when the archive tells it only behind them
  std::string link;                   // target of links, as stored
  bool encrypted = false;
};

class ArchiveReader {
 public:
  // One of the two inputs; it and `budget` must outlive the reader.
  ArchiveReader(ArchiveKind kind, ByteSource& in, DecodeBudget& budget);
  ArchiveReader(ArchiveKind kind, FileSource& file, DecodeBudget& budget);
  ArchiveReader(const ArchiveReader&) = delete;  // libarchive holds pointers into it
  ArchiveReader& operator=(const ArchiveReader&) = delete;

  // The next entry, nullopt at the end; an error when the archive is damaged or cut: what came
  // before is valid and nothing follows.
  Result<std::optional<ArchiveEntry>> next();
  // Content of the current entry, holes as zeros. Valid until the next call of next().
  ByteSource& content() { return content_; }
  // Bytes of the archive read so far (after decompression), for messages.
  std::uint64_t offset() const { return input_.bytes(); }
  // All bytes there are were read; with an error: the archive was cut.
  bool at_end() const { return input_.at_end(); }

 private:
  class Content : public ByteSource {
   public:
    explicit Content(ArchiveReader& reader) : reader_(reader) {}
    void start(std::optional<std::uint64_t> size);
    Result<std::size_t> read(std::span<char> out) override;

   private:
    // Fetches blocks until there is a byte to give; false at the end of the entry.
    Result<bool> refill();
    Status stop(Status status);

    ArchiveReader& reader_;
    std::span<const char> block_;
    std::uint64_t hole_ = 0;    // zeros to give before block_
    std::uint64_t offset_ = 0;  // given so far, block_ and hole_ included
    std::optional<std::uint64_t> size_;
    bool done_ = true;
  };

  void set_up(ArchiveKind kind);
  Status damaged() const;

  ArchiveInput input_;
  ArchiveHandle archive_;
  DecodeBudget& budget_;
  ArchiveKind kind_;
  int open_code_ = 0;
  bool ended_ = false;
  std::optional<Status> content_failure_;  // ends the archive as well
  Content content_{*this};
};

}  // namespace tfpm
