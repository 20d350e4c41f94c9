// Fragments and records of a log on their way to the collectors.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ingest/lines.h"
#include "ingest/matcher.h"

namespace tfpm {

// One physical fragment: cut at \n, \r, \b and glued headers; envelope and ANSI codes removed.
// Views live until the next fragment is read, or, when `stable`, until the chunk is left.
struct Fragment {
  LineHeader header;                     // header.message is the text
  std::uint64_t offset = 0;              // of the fragment in the source
  std::uint64_t line = 0;                // from 1
  std::uint64_t line_offset = 0;         // where that physical line starts
  std::optional<std::int64_t> time_us;   // header's stamp, else the envelope's
  StampBasis basis = StampBasis::kNone;  // clock of time_us
  std::span<const std::uint32_t> hits;   // patterns whose literal lies in the fragment
  bool stable = false;
};

// Where a further physical line of a record begins.
struct RecordLine {
  std::uint32_t position = 0;  // in the record's text
  std::uint64_t line = 0;      // number in the source, from 1
  std::uint64_t offset = 0;    // of the physical line in the source
};

// A complete record; views live until the chunk is left.
struct RecordRef {
  std::string_view text;          // message and continuation lines, headers and envelopes removed
  std::uint64_t offset = 0;       // in the source: its order inside the stream
  std::uint64_t line = 0;         // first line
  std::uint64_t line_offset = 0;  // where that line starts
  std::span<const RecordLine> more_lines;  // continuation lines, in order
  std::span<const std::uint32_t> hits;     // patterns whose literal lies in the record
  std::optional<std::int64_t> time_us;     // own stamp as written, else the last one before it
  bool own_time = false;
  bool has_header = false;
  LogSeverity severity = LogSeverity::kNone;

  // The physical line that holds text[position].
  RecordLine line_at(std::uint32_t position) const {
    RecordLine found{0, line, line_offset};
    for (const RecordLine& next : more_lines) {
      if (next.position > position) break;
      found = next;
    }
    return found;
  }
  std::uint64_t last_line() const { return more_lines.empty() ? line : more_lines.back().line; }
};

}  // namespace tfpm
