// The values of one tag of an event file, bounded as step markers are (architecture.md section 3,
// item 6).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tfpm {

struct EventPoint {
  std::uint64_t seq = 0;  // place in the file, distinct inside a tag
  std::int64_t step = 0;
  double value = 0;
  std::int64_t wall_us = 0;  // microseconds since the epoch; 0 = no usable stamp
  bool keep = false;         // never thinned
};

class EventSeries {
 public:
  static constexpr std::size_t kTail = 2000;   // consecutive points at the end that always stay
  static constexpr std::size_t kLimit = 4000;  // points before it thins itself for the first time

  // Points come in order of the file.
  void add(const EventPoint& point);
  // Drops every second of the points before the last `tail` ones; those beside a step back or a
  // change between finite and not, and the extremes, stay. Never grows; `tail` 0 may drop any but
  // the marked ones.
  void thin(std::size_t tail);
  const std::vector<EventPoint>& points() const { return points_; }
  // Points that a later run of the same steps replaces, in order of points().
  std::vector<bool> superseded() const;

 private:
  void mark_turn();
  void see_extremes();

  std::vector<EventPoint> points_;
  // Places of the least and the greatest finite value, the first of equal ones.
  std::optional<std::size_t> low_, high_;
  std::size_t limit_ = kLimit;   // points before the next thinning
  std::size_t behind_turn_ = 0;  // points still to be kept behind the last turn
  std::size_t turns_ = 0;
};

}  // namespace tfpm
