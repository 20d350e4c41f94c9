#include "ingest/point_store.h"

#include <algorithm>
#include <bit>

namespace tfpm {
namespace {

constexpr std::size_t kMaxPins = 4000;

}  // namespace

double* PointStore::add(std::uint64_t seq, std::uint64_t line, std::int64_t time_us) {
  if (places_.size() >= compact_at_) compact();
  if ((places_.size() + 1) * width_ > values_.size()) grow();
  places_.push_back({seq, line, added_++, time_us, false});
  return last();
}

void PointStore::grow() {
  values_.resize(std::max<std::size_t>(4, 2 * places_.size()) * width_);
}

std::size_t PointStore::add_column() {
  std::vector<double> wider;
  wider.reserve(places_.size() * (width_ + 1));
  for (std::size_t row = 0; row < places_.size(); ++row) {
    const auto* begin = values_.data() + row * width_;
    wider.insert(wider.end(), begin, begin + width_);
    wider.push_back(0);
  }
  values_ = std::move(wider);
  return width_++;
}

void PointStore::pin_last(std::size_t count) {
  for (std::size_t i = places_.size(); i > 0 && count > 0; --i, --count) {
    if (places_[i - 1].pinned) continue;
    if (pinned_count_ >= kMaxPins) return;
    places_[i - 1].pinned = true;
    ++pinned_count_;
  }
}

void PointStore::pin_extreme(std::size_t which) {
  if (which >= extremes_.size()) extremes_.resize(which + 1, UINT64_MAX);
  extremes_[which] = added_ - 1;
}

// Age in tails decides how dense records stay: one in four in the tail's neighbourhood, one in
// eight in the next octave, and so on. The sets are nested, so that thinning twice is thinning
// once.
bool PointStore::keeps(const Place& place) const {
  const std::uint64_t age = added_ - place.ordinal;
  if (age <= kKeepTail || place.pinned) return true;
  const auto octave = static_cast<unsigned>(std::bit_width(age / kKeepTail));
  const std::uint64_t stride = 1ULL << (octave + 1);
  if (place.ordinal % stride == 0) return true;
  return std::find(extremes_.begin(), extremes_.end(), place.ordinal) != extremes_.end();
}

void PointStore::compact() {
  std::size_t kept = 0;
  for (std::size_t row = 0; row < places_.size(); ++row) {
    if (!keeps(places_[row])) continue;
    if (kept != row) {
      places_[kept] = places_[row];
      std::copy_n(values_.data() + row * width_, width_, values_.data() + kept * width_);
    }
    ++kept;
  }
  places_.resize(kept);
  compact_at_ = kept + kSlack;
}

void PointStore::move_to(TemplateSeries& out, std::vector<std::vector<double>>& columns) {
  if (added_ > kKeepTail) compact();
  const std::size_t size = places_.size();
  out.tail = size > 0 ? size - 1 : 0;
  while (out.tail > 0 && places_[out.tail - 1].ordinal + 1 == places_[out.tail].ordinal) --out.tail;
  columns.assign(width_, std::vector<double>(size));
  for (std::size_t row = 0; row < size; ++row) {
    out.seq.push_back(places_[row].seq);
    out.line.push_back(places_[row].line);
    out.time_us.push_back(places_[row].time_us);
    for (std::size_t c = 0; c < width_; ++c) columns[c][row] = values_[row * width_ + c];
  }
  *this = PointStore(0);
}

}  // namespace tfpm
