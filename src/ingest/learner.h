// Learns candidate step-marker templates of one stream, record by record (algorithms.md
// section 1.9, rules 1-3 and 11).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/series.h"
#include "ingest/record_memo.h"

namespace tfpm {

// A record as the learner sees it: one physical fragment (cut at \r, \b and glued headers), header
// and ANSI codes removed.
struct LearnerRecord {
  std::uint64_t seq = 0;   // byte offset in the source
  std::uint64_t line = 0;  // from 1
  std::optional<std::int64_t> time_us;
  std::string_view text;       // lives only during the call; a JSON line is given whole
  bool cpp_source = false;     // header names a C++ file: not considered
  RecordMemo* memo = nullptr;  // of the text, null = none
  bool continuation = false;  // not the first line of its record. Considered all the same: the rows
                              // of a right-aligned table look like continuations
};

class SeriesLearner {
 public:
  SeriesLearner();
  ~SeriesLearner();
  SeriesLearner(SeriesLearner&&) noexcept;
  SeriesLearner& operator=(SeriesLearner&&) noexcept;
  // One pass over the text and a look-up for every form of line seen before; a few times that for a
  // new form.
  void add(const LearnerRecord& record);
  // A new process began at this byte offset (start-up banner with a new thread id).
  void start_attempt(std::uint64_t seq);
  // Templates with >= 2 records whose slots may count or measure; the learner is empty afterwards.
  StreamSeries take();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tfpm
