// One template while its stream is read: its kept records, and whether it may still count or
// measure (algorithms.md section 1.9, rules 4 and 11).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/series.h"
#include "base/slot_names.h"
#include "ingest/layout.h"
#include "ingest/point_store.h"

namespace tfpm {

// How one slot's values moved, over all records.
struct SlotTrack {
  bool integral = true;
  bool varies = false;
  bool comma_decimal = false;    // one value certainly had a decimal comma
  bool comma_ambiguous = false;  // one value may have had one, or a comma between thousands
  bool duration = false, percent = false;
  bool finite = false;                           // any finite value so far
  double first = 0, last = 0, min = 0, max = 0;  // finite values
  std::uint64_t moves = 0, backs = 0;
  std::uint64_t resets = 0;               // of the backs: from the greatest value to the least
  std::uint32_t nonfinite_attempt = ~0U;  // last attempt that had a non-finite value
  int backs_column = -1;                  // column of the running count of backs; -1 = none yet
};

// Where and when a record stands.
struct PointPlace {
  std::uint64_t seq = 0, line = 0;
  std::int64_t time_us = kNoTime;
  std::uint32_t attempt = 0;  // process starts before it in the stream
};

class LearnedTemplate {
 public:
  // `key` is the template's text, `record` its first record, `slots` the tokens of its slots.
  LearnedTemplate(std::string key, std::vector<std::string> pieces, std::string_view record,
                  std::uint64_t line, const std::vector<Token>& slots);

  // One more record, laid out like this.
  void add(const PointPlace& place, std::string_view text, const Layout& layout);

  // Nothing in it counts or measures: further records need not be added.
  bool dead() const { return dead_; }
  std::uint64_t records() const { return points_.added(); }
  std::size_t slot_count() const { return tracks_.size(); }
  const std::string& key() const { return key_; }
  // Nothing but numbers and separators: a row of a table, named by the heads above it.
  bool bare() const;
  void set_heads(std::vector<std::string> heads) { heads_ = std::move(heads); }

  // Hands the series over; the template is empty afterwards.
  TemplateSeries take();

 private:
  double read_odd(std::size_t slot, std::string_view text, const LayoutSlot& place);
  // For a finite value that is not the last one.
  void track(std::size_t slot, double value, bool new_attempt);
  void track_back(SlotTrack& track, double value);
  void pin_points(const PointPlace& place, bool new_attempt);
  void fill_backs();
  std::vector<SlotName> names() const;
  void judge();
  Slot make_slot(std::size_t index, std::vector<std::vector<double>>& columns) const;

  std::string key_;
  std::vector<std::string> pieces_, heads_;
  std::vector<SlotTrack> tracks_;
  std::vector<std::uint16_t> active_;  // slots whose values are read
  PointStore points_;
  std::vector<double> values_;  // of the record being added; missing where none is read
  std::string example_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places_;  // of the slots in the example
  std::uint64_t example_line_ = 0, first_seq_ = 0, last_seq_ = 0;
  std::uint32_t last_attempt_ = 0;
  bool went_back_ = false;  // a counter went back in the record being added, without a reset
  bool dead_ = false;
};

}  // namespace tfpm
