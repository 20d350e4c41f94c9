#include "parsers/detail/event_series.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tfpm {
namespace {

constexpr std::size_t kMaxTurns = 20;
constexpr std::size_t kBeforeTurn = 200;
constexpr std::size_t kBehindTurn = 20;

}  // namespace

void EventSeries::add(const EventPoint& point) {
  const bool first = points_.empty();
  const bool turns = !first && (point.step < points_.back().step ||
                                std::isfinite(point.value) != std::isfinite(points_.back().value));
  if (turns || (first && !std::isfinite(point.value))) mark_turn();
  points_.push_back(point);
  if (behind_turn_ > 0) {
    points_.back().keep = true;
    --behind_turn_;
  }
  see_extremes();
  if (points_.size() <= limit_) return;
  thin(kTail);
  // What is marked may already be more than the limit: thinning must not come with every point.
  limit_ = std::max(kLimit, points_.size() + kTail / 2);
}

// A file that turns all the time must stay bounded too: only so many turns are marked.
void EventSeries::mark_turn() {
  if (turns_ >= kMaxTurns) return;
  ++turns_;
  const std::size_t before = std::min(kBeforeTurn, points_.size());
  for (std::size_t i = points_.size() - before; i < points_.size(); ++i) points_[i].keep = true;
  behind_turn_ = kBehindTurn;
}

// Of the point that came last. Extremes are never thinned, so nothing has to be searched again.
void EventSeries::see_extremes() {
  const double value = points_.back().value;
  if (!std::isfinite(value)) return;
  const std::size_t last = points_.size() - 1;
  if (!low_ || value < points_[*low_].value) low_ = last;
  if (!high_ || value > points_[*high_].value) high_ = last;
}

void EventSeries::thin(std::size_t tail) {
  const std::size_t old = points_.size() - std::min(tail, points_.size());
  const std::size_t low = low_.value_or(points_.size());
  const std::size_t high = high_.value_or(points_.size());
  std::size_t to = 0;
  std::size_t unmarked = 0;
  for (std::size_t i = 0; i < old; ++i) {
    const bool marked = points_[i].keep || i == low || i == high || i == 0;
    if (!marked && unmarked++ % 2 == 1) continue;
    if (i == low) low_ = to;
    if (i == high) high_ = to;
    points_[to++] = points_[i];
  }
  const std::size_t gone = old - to;
  if (low_ && low >= old) low_ = low - gone;
  if (high_ && high >= old) high_ = high - gone;
  points_.erase(points_.begin() + static_cast<std::ptrdiff_t>(to),
                points_.begin() + static_cast<std::ptrdiff_t>(old));
}

std::vector<bool> EventSeries::superseded() const {
  std::vector<bool> out(points_.size(), false);
  std::int64_t restart = std::numeric_limits<std::int64_t>::max();  // lowest step of later runs
  for (std::size_t i = points_.size(); i-- > 0;) {
    out[i] = points_[i].step >= restart;
    if (i > 0 && points_[i].step < points_[i - 1].step)
      restart = std::min(restart, points_[i].step);
  }
  return out;
}

}  // namespace tfpm
