// A member's text in chunks of about 256 KiB that end at a line end.
//
// Chunks of that size stay in the L2 cache while matcher, splitter and tokeniser pass over them
// (performance.md section 2.3). UTF-16 text is turned into UTF-8 here; offsets keep meaning the
// source's own bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "ingest/utf16.h"
#include "parsers/parser.h"

namespace tfpm {

// Bytes of text handed out at once, when line ends allow.
inline constexpr std::size_t kChunkBytes = std::size_t{256} * 1024;
// A line longer than this is cut: memory stays bounded whatever the input is.
inline constexpr std::size_t kMaxLineBytes = std::size_t{1024} * 1024;

struct Chunk {
  std::string_view text;      // lives until the next call of next()
  std::uint64_t offset = 0;   // of text[0] in the source
  bool ends_in_line = false;  // cut inside a line: at the hard cap, or torn at the source's end

  // Offset in the source of text[position].
  std::uint64_t source_offset(std::size_t position) const;

  struct Anchor {
    std::size_t position;
    std::uint64_t offset;
  };
  std::vector<Anchor> anchors;  // UTF-16 only: one per line, between them two bytes a character
};

class ChunkReader {
 public:
  // `in` must outlive the reader.
  explicit ChunkReader(ByteStream& in) : in_(in) {}

  // false at the end. Reading errors end the text early and are kept in status().
  bool next(Chunk& chunk);
  const Status& status() const { return status_; }
  // Lines that were cut because they exceed kMaxLineBytes.
  std::uint64_t cut_lines() const { return cut_lines_; }

 private:
  enum class Encoding { kUnknown, kBytes, kUtf16Le, kUtf16Be };

  void fill(std::size_t want);
  std::size_t cut_position();
  void detect_encoding();
  void decode_utf16(Chunk& chunk, std::string_view raw);

  ByteStream& in_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // first unread byte of buffer_
  std::size_t end_ = 0;
  std::uint64_t offset_ = 0;  // source offset of buffer_[begin_]
  bool at_end_ = false;
  Encoding encoding_ = Encoding::kUnknown;
  std::string decoded_;
  std::uint64_t cut_lines_ = 0;
  Status status_;
};

}  // namespace tfpm
