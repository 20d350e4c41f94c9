// Raw lines around stored events, so that evidence can be shown without the bundle.
//
// Works chunk by chunk: lines before and after are copied while they are in the buffer. Lines of
// events that were dropped later are pruned from time to time and at the end.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/chunk_reader.h"

namespace tfpm {

// Lines kept before and behind a cited line.
inline constexpr std::uint64_t kContextLines = 3;
// A kept line is cut at this many bytes.
inline constexpr std::size_t kContextLineBytes = 2000;

struct ContextLine {
  std::uint64_t offset = 0;  // where the line starts in the source
  std::string text;          // raw: envelope, header and ANSI codes are all there
};

struct LineRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;  // inclusive
  friend bool operator<(const LineRange& a, const LineRange& b) {
    return a.first != b.first ? a.first < b.first : a.last < b.last;
  }
};

class ContextLines {
 public:
  // A new chunk, which starts at `first_line` (possibly inside that line).
  void begin_chunk(const Chunk& chunk, std::uint64_t first_line);
  // Keeps the lines of the range and three on both sides. Lines before the chunk are kept only if
  // they are among the last few of the chunk before, lines behind it are taken from the next one.
  void want(LineRange cited);
  // Copies wanted lines out of the chunk; call once, before it is left. `end_line` is the number of
  // the line in which the chunk ends, or of the next one when it ends with a line end.
  void end_chunk(std::uint64_t end_line);

  std::size_t bytes() const { return bytes_; }
  // Drops every line that is not within three lines of one of the ranges `cited`, which is sorted.
  void prune(const std::vector<LineRange>& cited);
  const std::map<std::uint64_t, ContextLine>& lines() const { return lines_; }

 private:
  void keep(std::uint64_t line, std::uint64_t offset, std::string_view text);
  void copy_wanted();
  void remember_end(std::uint64_t end_line);

  const Chunk* chunk_ = nullptr;
  std::uint64_t first_line_ = 1;
  std::vector<LineRange> wanted_;  // context included
  std::map<std::uint64_t, ContextLine> lines_;
  std::map<std::uint64_t, ContextLine> recent_;  // last lines of the chunk before
  std::size_t bytes_ = 0;
};

}  // namespace tfpm
