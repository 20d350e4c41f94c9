// The kept records of one template: all of the last kKeepTail, thinned the more the older before,
// and pinned ones whatever their age (architecture.md section 3, item 6).
#pragma once

#include <cstdint>
#include <vector>

#include "base/series.h"

namespace tfpm {

class PointStore {
 public:
  explicit PointStore(std::size_t columns) : width_(columns) {}

  // Room for the values of one more record, one per column: fill them before the next call. The
  // pointer is valid until then.
  double* add(std::uint64_t seq, std::uint64_t line, std::int64_t time_us);
  // The values of the record that was added last.
  double* last() { return values_.data() + (places_.size() - 1) * width_; }
  // One more column, zero for the records so far; returns its index.
  std::size_t add_column();
  // Keeps the last `count` records for good. Pins are bounded: after kMaxPins nothing more is
  // pinned.
  void pin_last(std::size_t count);
  // Keeps the record that was added last until another extreme takes its place: `which` numbers the
  // extremes.
  void pin_extreme(std::size_t which);

  std::uint64_t added() const { return added_; }
  std::size_t columns() const { return width_; }

  // Thins what is older than the tail and moves everything into `out` and `columns`; the store is
  // empty afterwards.
  void move_to(TemplateSeries& out, std::vector<std::vector<double>>& columns);

 private:
  struct Place {
    std::uint64_t seq = 0, line = 0, ordinal = 0;
    std::int64_t time_us = kNoTime;
    bool pinned = false;
  };
  void compact();
  void grow();
  bool keeps(const Place& place) const;

  // Records gathered before the older ones are thinned: the price of thinning is spread over them.
  static constexpr std::size_t kSlack = 4000;

  std::size_t width_;
  std::uint64_t added_ = 0;
  std::size_t compact_at_ = kKeepTail + kSlack;
  std::size_t pinned_count_ = 0;
  std::vector<Place> places_;
  std::vector<double> values_;           // row after row, width_ each
  std::vector<std::uint64_t> extremes_;  // ordinals
};

}  // namespace tfpm
