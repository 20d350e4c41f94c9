// Raw lines around a record, so that evidence can be shown without the bundle.
//
// A snapshot copies neighbouring lines out of the chunk. Lines before the chunk come from a copy of
// its last few, lines behind it are added when the next chunk is there.
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

// Consecutive physical lines, raw: envelope, header and ANSI codes are all there.
struct ContextSnapshot {
  std::uint64_t first_line = 0;        // number of the first
  std::vector<std::uint64_t> offsets;  // where each starts in the source; empty = nothing kept
  std::string text;                    // each cut at kContextLineBytes and ended by '\n'

  void clear() {
    offsets.clear();
    text.clear();
  }
};

// A kept line is cut at this many bytes.
inline constexpr std::size_t kContextLineBytes = 2000;

class ContextWindow {
 public:
  // A new chunk, which starts in line `first_line`. Completes the snapshots of the chunk before
  // that lack lines behind them; they must still be where they were.
  void begin_chunk(const Chunk& chunk, std::uint64_t first_line);
  // Lines from three before to three behind a record that lies in `range` of the chunk and begins
  // in line `line`. Appends to `out` when that holds the record's lines of the chunk before.
  void take(ContextSnapshot& out, std::uint64_t line, ChunkRange range);
  // The lines from three before up to the chunk's end, for a record that goes on behind it. Appends
  // like take().
  void take_head(ContextSnapshot& out, std::uint64_t line, ChunkRange range);
  // Before the chunk is left. `end_line`: the line in which it ends, or the next one when it ends
  // with a line end.
  void end_chunk(std::uint64_t end_line);

 private:
  void take_before(ContextSnapshot& out, std::size_t line_begin, std::uint64_t line) const;
  std::size_t begin_of(ContextSnapshot& out, std::uint64_t line, ChunkRange range) const;
  std::size_t append(ContextSnapshot& out, std::size_t begin, std::size_t end, std::size_t behind);

  const Chunk* chunk_ = nullptr;
  std::uint64_t first_line_ = 1;
  ContextSnapshot before_;  // last lines of the chunk before
  std::vector<std::pair<ContextSnapshot*, std::size_t>> unfinished_;  // and lines still wanted
};

}  // namespace tfpm
