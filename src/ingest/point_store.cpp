#include "ingest/point_store.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tfpm {
namespace {

constexpr std::size_t kMaxPins = 4000;
}  // namespace

void PointStore::add(std::uint64_t seq, std::uint64_t line, std::int64_t time_us,
                     const std::vector<double>& values) {
  if (extremes_.size() != columns_.size()) extremes_.resize(columns_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const double value = values[i];
    columns_[i].push_back(value);
    Extremes& e = extremes_[i];
    if (!std::isfinite(value)) continue;
    if (!e.any || value < e.low) {
      e.low = value;
      e.low_at = added_;
    }
    if (!e.any || value > e.high) {
      e.high = value;
      e.high_at = added_;
    }
    e.any = true;
  }
  seq_.push_back(seq);
  line_.push_back(line);
  time_.push_back(time_us);
  ordinal_.push_back(added_++);
  pinned_.push_back(0);
  if (seq_.size() >= compact_at_) compact();
}

std::size_t PointStore::add_column() {
  columns_.emplace_back(seq_.size(), 0.0);
  return columns_.size() - 1;
}

void PointStore::pin_last(std::size_t count) {
  for (std::size_t i = seq_.size(); i > 0 && count > 0; --i, --count) {
    if (pinned_[i - 1] != 0) continue;
    if (pinned_count_ >= kMaxPins) return;
    pinned_[i - 1] = 1;
    ++pinned_count_;
  }
}

std::vector<std::uint64_t> PointStore::extreme_ordinals() const {
  std::vector<std::uint64_t> ordinals;
  for (const Extremes& e : extremes_) {
    if (!e.any) continue;
    ordinals.push_back(e.low_at);
    ordinals.push_back(e.high_at);
  }
  std::sort(ordinals.begin(), ordinals.end());
  return ordinals;
}

// Age in tails decides how dense records stay: one in four in the tail's neighbourhood, one in
// eight in the next octave, and so on. The sets are nested, so that thinning twice is thinning
// once.
bool PointStore::keeps(std::size_t row, const std::vector<std::uint64_t>& extremes) const {
  const std::uint64_t age = added_ - ordinal_[row];
  if (age <= kKeepTail || pinned_[row] != 0) return true;
  const auto octave = static_cast<unsigned>(std::bit_width(age / kKeepTail));
  const std::uint64_t stride = 1ULL << (octave + 1);
  if (ordinal_[row] % stride == 0) return true;
  return std::binary_search(extremes.begin(), extremes.end(), ordinal_[row]);
}

void PointStore::compact() {
  const std::vector<std::uint64_t> extremes = extreme_ordinals();
  std::size_t kept = 0;
  for (std::size_t row = 0; row < seq_.size(); ++row) {
    if (!keeps(row, extremes)) continue;
    if (kept != row) {
      seq_[kept] = seq_[row];
      line_[kept] = line_[row];
      time_[kept] = time_[row];
      ordinal_[kept] = ordinal_[row];
      pinned_[kept] = pinned_[row];
      for (auto& column : columns_) column[kept] = column[row];
    }
    ++kept;
  }
  seq_.resize(kept);
  line_.resize(kept);
  time_.resize(kept);
  ordinal_.resize(kept);
  pinned_.resize(kept);
  for (auto& column : columns_) column.resize(kept);
  compact_at_ = kept + kSlack;
}

void PointStore::move_to(TemplateSeries& out, std::vector<std::vector<double>>& columns) {
  if (added_ > kKeepTail) compact();
  std::size_t tail = seq_.size();
  while (tail > 0 && (tail == seq_.size() || ordinal_[tail - 1] + 1 == ordinal_[tail])) --tail;
  out.tail = tail;
  out.seq = std::move(seq_);
  out.line = std::move(line_);
  out.time_us = std::move(time_);
  columns = std::move(columns_);
  *this = PointStore(0);
}

}  // namespace tfpm
