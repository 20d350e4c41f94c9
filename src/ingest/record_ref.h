// A complete record as the collectors see it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "ingest/lines.h"
#include "ingest/record.h"

namespace tfpm {

// A part of the chunk; end == 0: not in it.
struct ChunkRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

struct ContextSnapshot;

// Views live until the chunk is left, or as long as the KeptRecord they point into.
struct RecordRef {
  std::string_view text;  // message and continuation lines, headers and envelopes removed
  RecordKind kind = RecordKind::kPlain;
  RecordPlace place;                    // its first fragment; the offset is its order in the stream
  std::span<const Record::Mark> marks;  // continuation lines, in order
  std::span<const std::uint32_t> hits;  // patterns whose literal lies in the record
  std::optional<std::int64_t> time_us;  // own stamp as written, else the last one before it
  bool own_time = false;
  LogSeverity severity = LogSeverity::kNone;
  ChunkRange range;                       // its fragments, as far as they are in the chunk
  const ContextSnapshot* head = nullptr;  // lines of it in the chunk before; null = none

  // The fragment that holds text[position].
  RecordPlace place_of(std::size_t position) const {
    RecordPlace found = place;
    for (const Record::Mark& mark : marks) {
      if (mark.begin > position) break;
      found = mark.place;
    }
    return found;
  }
  std::uint64_t last_line() const { return marks.empty() ? place.line : marks.back().place.line; }
};

}  // namespace tfpm
