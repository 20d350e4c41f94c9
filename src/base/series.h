// Candidate series of step markers: what reading a stream learns, and alignment chooses from
// (algorithms.md 1.9).
//
// The learner (src/ingest) masks numbers of every record, keeps the numbers of templates that may
// count steps or measure, and hands them over after the pass; the choice (src/align) needs all
// tasks at once. Bounded: at most kMaxTemplates templates a stream, kKeepTail records each plus a
// geometric thinning before them, plus the points named in architecture.md section 3, item 6.
// Columns, not rows: a thousand tasks of two thousand points each must fit into memory.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tfpm {

inline constexpr std::size_t kMaxTemplates = 4096;
inline constexpr std::size_t kKeepTail = 2000;

enum class SlotKind { kInteger, kDecimal, kDuration, kPercent };

// A value that was written as missing (`null`, `None`): a NaN with a payload of our own, so that a
// column stays eight bytes a value and a printed NaN stays a plain one.
inline constexpr std::uint64_t kMissingBits = 0x7ff8'0000'0000'4d49U;
inline double missing_value() {
  return std::bit_cast<double>(kMissingBits);
}
inline bool is_missing(double value) {
  return std::bit_cast<std::uint64_t>(value) == kMissingBits;
}
// A number that was printed and is NaN or infinite; a missing one is neither this nor finite.
inline bool is_nonfinite(double value) {
  return !std::isfinite(value) && !is_missing(value);
}

// A number's place in a template.
struct Slot {
  SlotKind kind = SlotKind::kInteger;  // kInteger: every finite value is integral
  std::string head;                    // column head above rows of bare numbers; empty = none
  std::vector<double> values;          // one per point; durations in seconds. Empty when `constant`
  // How often the value had gone back before each point; exact where points are thinned. Empty when
  // it never did, or did so too often to count anything.
  std::vector<double> backs;
  std::optional<double> constant;  // the value, when all records have the same
  double min = 0, max = 0;         // over the finite values of all records, thinned or not
  std::uint32_t example_begin = 0, example_end = 0;  // where it stands in the example
};

// All records of one form. `pieces` are the texts around the slots (slots.size() + 1 of them):
// white space and bars collapsed, dates, addresses and the like masked as '~', lengths capped.
struct TemplateSeries {
  std::string text;  // numbers masked as '#', durations as '@'
  std::vector<std::string> pieces;
  std::vector<Slot> slots;
  std::uint64_t records = 0;  // exact count; points may be thinned
  std::uint64_t first_seq = 0, last_seq = 0;
  // Points in order: byte offset in the source, line from 1, stamp as written (kNoTime = none).
  std::vector<std::uint64_t> seq;
  std::vector<std::uint64_t> line;
  std::vector<std::int64_t> time_us;
  std::size_t tail = 0;  // points from here on are consecutive records: nothing is left out
  std::uint64_t example_line = 0;
  std::string example;  // raw text of one record, cut at 1000 bytes
};

inline constexpr std::int64_t kNoTime = INT64_MIN;

struct StreamSeries {
  std::int64_t stream = 0;  // stream.id, filled by the pipeline when the stream row is written
  std::vector<TemplateSeries> templates;  // in order of first_seq
  std::vector<std::uint64_t>
      attempt_starts;  // byte offsets where a new process begins (section 1.5), may be empty
};

// A `markers` entry of a manifest: the user says which lines count.
struct DeclaredMarker {
  std::string re;    // with named groups step, and optionally loss
  std::string edge;  // 'begin', 'end', 'unknown'
};

}  // namespace tfpm
