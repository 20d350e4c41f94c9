// The record of a stream that is still growing.
//
// Most records are one line and never copied: their text is a view into the chunk. Text is copied
// when a continuation line comes or the chunk ends.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/chunk_arena.h"
#include "ingest/record_ref.h"

namespace tfpm {

// Limits of one record (formats.md 0.7): beyond them the next line starts a new one.
inline constexpr std::size_t kMaxRecordBytes = 1024 * 1024;
inline constexpr std::size_t kMaxRecordLines = 2000;

class OpenRecord {
 public:
  bool open() const { return open_; }
  bool full() const;
  const RecordRef& ref() const { return ref_; }
  bool has_hits() const { return !hits_.empty(); }

  // `time_us` is the fragment's own stamp or the last one before it.
  void begin(const Fragment& fragment, std::optional<std::int64_t> time_us);
  void append(const Fragment& fragment);
  // An empty line: part of the record if another line follows.
  void append_empty() { ++empty_lines_; }
  // Copies what still points into the chunk.
  void leave_chunk();
  // The complete record; its views live in the chunk or in `arena`. Closes this one.
  RecordRef close(ChunkArena& arena);

 private:
  void own();

  bool open_ = false;
  bool owned_ = false;  // text_ holds the text
  RecordRef ref_;
  std::string text_;
  std::vector<RecordLine> lines_;
  std::vector<std::uint32_t> hits_;
  std::size_t empty_lines_ = 0;
};

}  // namespace tfpm
