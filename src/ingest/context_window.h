// Raw lines around a record, so that evidence can be shown without the bundle.
//
// A snapshot is one copy of neighbouring bytes of the chunk: cheap enough for every record that may
// become an event. Lines before the chunk come from a copy of its last few, lines behind it are
// added when the next chunk is there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/chunk_reader.h"
#include "ingest/record_ref.h"

namespace tfpm {

// Consecutive physical lines as they stand in the source: envelope, header and ANSI codes are all
// there. The first may begin inside its line, the last may be cut.
struct ContextSnapshot {
  std::uint64_t first_line = 0;
  std::uint64_t offset = 0;     // of the text in the source
  unsigned bytes_per_char = 1;  // in the source; 2 for UTF-16, where offsets inside are estimates
  std::string text;             // empty = nothing kept

  void clear() { text.clear(); }
  bool empty() const { return text.empty(); }
};

class ContextWindow {
 public:
  // A new chunk. Completes the snapshots of the chunk before that lack lines behind them; they must
  // still be where they were.
  void begin_chunk(const Chunk& chunk);
  // Lines from three before to three behind a record that lies in `range` of the chunk and begins
  // in line `line`. Appends to `out` when that holds the record's lines of the chunk before.
  void take(ContextSnapshot& out, std::uint64_t line, ChunkRange range);
  // The lines from three before up to the chunk's end, for a record that goes on behind it.
  // Appends like take().
  void take_head(ContextSnapshot& out, std::uint64_t line, ChunkRange range);
  // Before the chunk is left. `end_line`: the line in which it ends, or the next one when it ends
  // with a line end.
  void end_chunk(std::uint64_t end_line);

 private:
  std::size_t begin_of(ContextSnapshot& out, std::uint64_t line, ChunkRange range) const;
  void start(ContextSnapshot& out, std::size_t begin, std::uint64_t line) const;
  void append(ContextSnapshot& out, std::size_t begin, std::size_t end, std::size_t behind);

  const Chunk* chunk_ = nullptr;
  ContextSnapshot before_;  // last lines of the chunk before
  std::vector<std::pair<ContextSnapshot*, std::size_t>> unfinished_;  // and lines still wanted
};

}  // namespace tfpm
