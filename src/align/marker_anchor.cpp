#include "align/marker_anchor.h"

#include <algorithm>
#include <cmath>

#include "align/marker_metrics.h"

namespace tfpm {
namespace {

constexpr double kAgree = 0.8;
constexpr double kTolerance = 1e-3;  // of the ratio: percents are rounded

// The number a save line carries: behind a dash, or named as a step.
bool is_saved_number(const TemplateSeries& series, const std::vector<SlotName>& names,
                     std::size_t slot) {
  if (series.slots[slot].kind != SlotKind::kInteger) return false;
  return series.pieces[slot].ends_with('-') || names[slot].meaning.quantity == Quantity::kStep;
}

bool close(double a, double b) {
  return std::abs(a - b) <= kTolerance * std::abs(b);
}

}  // namespace

void StepAnchor::add(const NamedStream& stream, const std::vector<MarkerRow>& rows) {
  for (std::size_t t = 0; t < stream.series->templates.size(); ++t) {
    const TemplateSeries& series = stream.series->templates[t];
    if (!any_word(series.text, kWordSave) || any_word(series.text, kWordRestore)) continue;
    for (std::size_t s = 0; s < series.slots.size(); ++s) {
      if (!is_saved_number(series, stream.names[t], s)) continue;
      for (std::size_t row = 0; row < series.seq.size(); ++row) {
        const double saved = value_at(series.slots[s], row);
        const auto behind =
            std::upper_bound(rows.begin(), rows.end(), series.seq[row],
                             [](std::uint64_t seq, const MarkerRow& r) { return seq < r.seq; });
        if (behind == rows.begin() || !(saved > 0)) continue;
        const MarkerRow& last = *(behind - 1);
        if (last.attempt != stream.attempt_of(series.seq[row]) || !(last.step > 0)) continue;
        samples_.push_back({saved, last.step / saved});
      }
    }
  }
}

std::optional<double> StepAnchor::units_per_step() const {
  if (samples_.size() < 2) return std::nullopt;
  std::vector<double> ratios;
  for (const Sample& s : samples_) ratios.push_back(s.ratio);
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  const double ratio = *middle;
  std::size_t agree = 0;
  bool different = false;
  for (const Sample& s : samples_) {
    if (!close(s.ratio, ratio)) continue;
    ++agree;
    different = different || s.saved != samples_[0].saved;
  }
  const auto share = static_cast<double>(agree) / static_cast<double>(samples_.size());
  // A ratio of one: what was saved is numbered in the same unit and tells nothing.
  if (share < kAgree || !different || close(ratio, 1)) return std::nullopt;
  return ratio;
}

}  // namespace tfpm
