// Candidate series of step markers: what reading a stream learns, and alignment chooses from
// (algorithms.md 1.9).
//
// The learner (src/ingest) masks numbers of every record, keeps the integer and decimal slots of
// templates that may count steps, and hands them over after the pass; the choice (src/align) needs
// all tasks at once. Bounded: at most kMaxTemplates templates a stream, kKeepTail records each plus
// a geometric thinning before them, plus the points named in architecture.md section 3, item 6.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tfpm {

inline constexpr std::size_t kMaxTemplates = 4096;
inline constexpr std::size_t kKeepTail = 2000;

enum class SlotKind { kInteger, kDecimal, kDuration, kPercent };

// A number's place in a template and what the words around it say.
struct Slot {
  std::string name;    // nearest word by section 1.9 rule 3; empty = none
  std::string before;  // text from the slot before (or the start) to this one, for word tests
  std::string after;   // up to 16 bytes behind it
  SlotKind kind = SlotKind::kInteger;
  std::optional<std::int64_t>
      followed_by;  // constant N directly behind (`/40`, `of 40`); absent = none or varying
};

enum class NumberState { kFinite, kNan, kInf, kNegInf, kMissing };

struct SlotValue {
  double value = 0;  // exact for integers below 2^53; durations in seconds
  NumberState state = NumberState::kMissing;
};

// One kept record of a template: its place, stamp and the values of all its slots, in order.
struct SeriesPoint {
  std::uint64_t seq = 0;                // byte offset of the record in the source
  std::uint64_t line = 0;               // from 1
  std::optional<std::int64_t> time_us;  // stamp as written
  std::vector<SlotValue> values;
};

struct TemplateSeries {
  std::string text;  // numbers masked, white space and bars collapsed
  std::vector<Slot> slots;
  std::uint64_t records = 0;        // exact count; points may be thinned
  std::vector<SeriesPoint> points;  // in order of seq
  std::uint64_t example_line = 0;
  std::string example;  // raw text of one record, cut at 300 bytes
};

struct StreamSeries {
  std::int64_t stream = 0;  // stream.id, filled by the pipeline when the stream row is written
  std::vector<TemplateSeries> templates;
  std::vector<std::uint64_t>
      attempt_starts;  // byte offsets where a new process begins (section 1.5), may be empty
};

// A `markers` entry of a manifest: the user says which lines count.
struct DeclaredMarker {
  std::string re;    // with named groups step, and optionally loss
  std::string edge;  // 'begin', 'end', 'unknown'
};

}  // namespace tfpm
