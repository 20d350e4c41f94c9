// The kept records of one template, in columns: all of the last kKeepTail, thinned the more the
// older before, and pinned ones whatever their age (architecture.md section 3, item 6).
#pragma once

#include <cstdint>
#include <vector>

#include "base/series.h"

namespace tfpm {

class PointStore {
 public:
  explicit PointStore(std::size_t slots) : columns_(slots) {}

  // Appends a record; `values` has one entry per column.
  void add(std::uint64_t seq, std::uint64_t line, std::int64_t time_us,
           const std::vector<double>& values);
  // One more column, zero for the records so far; returns its index.
  std::size_t add_column();
  // Keeps the last `count` records for good. Pins are bounded: after kMaxPins nothing more is
  // pinned.
  void pin_last(std::size_t count);

  std::uint64_t added() const { return added_; }

  // Thins what is older than the tail and moves everything into `out`; the store is empty
  // afterwards.
  void move_to(TemplateSeries& out, std::vector<std::vector<double>>& columns);

 private:
  struct Extremes {
    double low = 0, high = 0;
    std::uint64_t low_at = 0, high_at = 0;  // ordinals
    bool any = false;
  };
  void compact();
  bool keeps(std::size_t row, const std::vector<std::uint64_t>& extremes) const;
  std::vector<std::uint64_t> extreme_ordinals() const;

  // Records gathered before the older ones are thinned: the price of thinning is spread over them.
  static constexpr std::size_t kSlack = 4000;

  std::uint64_t added_ = 0;
  std::size_t compact_at_ = kKeepTail + kSlack;
  std::size_t pinned_count_ = 0;
  std::vector<std::uint64_t> seq_, line_, ordinal_;
  std::vector<std::int64_t> time_;
  std::vector<std::uint8_t> pinned_;
  std::vector<std::vector<double>> columns_;
  std::vector<Extremes> extremes_;
};

}  // namespace tfpm
