#include "align/marker_thinning.h"

#include <algorithm>
#include <cmath>

namespace tfpm {
namespace {

constexpr std::size_t kUntouched = 4500;
constexpr std::size_t kTail = 2000;
constexpr std::size_t kHead = 100;
constexpr std::size_t kSpread = 1500;  // of the rest, evenly
constexpr std::size_t kMaxTurns = 20;  // steps back and changes of state that keep their neighbours
constexpr std::size_t kBeforeTurn = 200;
constexpr std::size_t kBehindTurn = 20;

bool bad_loss(const MarkerRow& row) {
  return row.loss && !std::isfinite(*row.loss);
}

void keep_range(std::vector<bool>& keep, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < std::min(to, keep.size()); ++i) keep[i] = true;
}

void keep_extremes(const std::vector<MarkerRow>& rows, std::vector<bool>& keep) {
  std::size_t low = rows.size();
  std::size_t high = rows.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].loss || bad_loss(rows[i])) continue;
    if (low == rows.size() || *rows[i].loss < *rows[low].loss) low = i;
    if (high == rows.size() || *rows[i].loss > *rows[high].loss) high = i;
  }
  if (low < rows.size()) keep[low] = keep[high] = true;
}

}  // namespace

void thin_markers(std::vector<MarkerRow>& rows) {
  if (rows.size() <= kUntouched) return;
  std::vector<bool> keep(rows.size(), false);
  keep_range(keep, 0, kHead);
  keep_range(keep, rows.size() - kTail, rows.size());
  std::size_t turns = 0;
  for (std::size_t i = 1; i < rows.size() && turns < kMaxTurns; ++i) {
    const bool back = rows[i].step < rows[i - 1].step;
    if (!back && bad_loss(rows[i]) == bad_loss(rows[i - 1])) continue;
    keep_range(keep, i - std::min(i, kBeforeTurn), i + kBehindTurn);
    ++turns;
  }
  keep_extremes(rows, keep);
  const std::size_t stride = std::max<std::size_t>(1, rows.size() / kSpread);
  for (std::size_t i = 0; i < rows.size(); i += stride) keep[i] = true;
  std::size_t out = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (keep[i]) rows[out++] = rows[i];
  }
  rows.resize(out);
}

}  // namespace tfpm
