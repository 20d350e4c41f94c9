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

void EventSeries::mark_extremes(std::vector<bool>& stays) const {
  std::size_t low = points_.size();
  std::size_t high = points_.size();
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (!std::isfinite(points_[i].value)) continue;
    if (low == points_.size() || points_[i].value < points_[low].value) low = i;
    if (high == points_.size() || points_[i].value > points_[high].value) high = i;
  }
  if (low < points_.size()) stays[low] = stays[high] = true;
}

void EventSeries::thin(std::size_t tail) {
  std::vector<bool> stays(points_.size(), false);
  mark_extremes(stays);
  const std::size_t old = points_.size() - std::min(tail, points_.size());
  std::size_t to = 0;
  std::size_t unmarked = 0;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const bool marked = points_[i].keep || stays[i] || i == 0 || i >= old;
    if (!marked && unmarked++ % 2 == 1) continue;
    points_[to++] = points_[i];
  }
  points_.resize(to);
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
