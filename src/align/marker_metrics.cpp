#include "align/marker_metrics.h"

#include <algorithm>
#include <cmath>

namespace tfpm {
namespace {

constexpr double kOneBetween = 0.9;

bool is_constant(const Slot& slot) {
  return slot.constant.has_value();
}

bool becomes_nonfinite(const Slot& slot) {
  return std::any_of(slot.values.begin(), slot.values.end(), is_nonfinite);
}

// A number nobody else claims and that is no count: a loss perhaps.
bool is_unclaimed_measure(const Slot& slot, const SlotName& name) {
  if (is_constant(slot) || name.meaning.quantity != Quantity::kUnknown) return false;
  if (slot.kind == SlotKind::kDecimal) return true;
  return slot.kind == SlotKind::kInteger && becomes_nonfinite(slot);
}

void find_loss(const TemplateSeries& series, const std::vector<SlotName>& names,
               std::size_t counting, LineMetrics& out) {
  std::optional<std::size_t> named, nonfinite, first;
  for (std::size_t i = 0; i < series.slots.size(); ++i) {
    if (i == counting) continue;
    const SlotName& name = names[i];
    if (name.meaning.quantity == Quantity::kLoss) {
      const bool better = !named || (name.meaning.exact_loss && !names[*named].meaning.exact_loss);
      if (better) named = i;
    }
    if (!is_unclaimed_measure(series.slots[i], name)) continue;
    if (!first) first = i;
    if (!nonfinite && becomes_nonfinite(series.slots[i])) nonfinite = i;
  }
  out.loss = named ? named : nonfinite ? nonfinite : first;
  out.loss_sure = named.has_value();
}

void find_step_time(const TemplateSeries& series, const std::vector<SlotName>& names,
                    LineMetrics& out) {
  for (std::size_t i = 0; i < series.slots.size(); ++i) {
    if (names[i].meaning.quantity != Quantity::kStepTime || is_constant(series.slots[i])) continue;
    out.step_time = i;
    const double unit = names[i].meaning.unit_seconds;
    // A duration such as 118ms took its unit along.
    const bool has_unit = series.slots[i].kind == SlotKind::kDuration;
    out.step_time_unit = has_unit || unit == 0 ? 1 : unit;
    return;
  }
}

// The slot that goes up by one whenever the counting one starts again, or is called an epoch.
std::optional<std::size_t> find_epoch(const TemplateSeries& series,
                                      const std::vector<SlotName>& names, std::size_t counting) {
  for (std::size_t i = 0; i < series.slots.size(); ++i) {
    const bool whole = series.slots[i].kind == SlotKind::kInteger;
    if (i != counting && whole && names[i].meaning.quantity == Quantity::kEpoch) return i;
  }
  if (counting == kNoSlot || is_constant(series.slots[counting])) return std::nullopt;
  const std::vector<double>& count = series.slots[counting].values;
  for (std::size_t i = 0; i < series.slots.size(); ++i) {
    const Slot& slot = series.slots[i];
    if (i == counting || slot.kind != SlotKind::kInteger || is_constant(slot)) continue;
    std::size_t together = 0, apart = 0;
    for (std::size_t row = std::max<std::size_t>(1, series.tail); row < count.size(); ++row) {
      const bool reset = count[row] < count[row - 1];
      const bool up = slot.values[row] == slot.values[row - 1] + 1;
      together += reset && up ? 1 : 0;
      apart += reset != (slot.values[row] != slot.values[row - 1]) ? 1 : 0;
    }
    if (together > 0 && apart * 10 <= together) return i;
  }
  return std::nullopt;
}

bool is_auxiliary(const TemplateSeries& series, std::size_t slot) {
  for (std::size_t i = 0; i <= slot; ++i)
    if (any_word(series.pieces[i], kWordAux)) return true;
  return false;
}

// Share of the gaps between markers that hold exactly one record of the template.
double one_between(const Family& family, const TemplateSeries& series) {
  std::size_t gaps = 0, single = 0, r = 0;
  // Markers before the first record say nothing, but the gap it stands in does, unless others that
  // were thinned out stood there too.
  const std::uint64_t from = series.seq[series.tail];
  for (std::size_t i = 1; i < family.points.size(); ++i) {
    const FamilyPoint &a = family.points[i - 1], &b = family.points[i];
    const bool early = (series.tail == 0 ? b.seq : a.seq) < from;
    if (a.attempt != b.attempt || a.count == b.count || early) continue;
    while (r < series.seq.size() && series.seq[r] < a.seq) ++r;
    std::size_t end = r;
    while (end < series.seq.size() && series.seq[end] < b.seq) ++end;
    ++gaps;
    single += end - r == 1 ? 1 : 0;
  }
  return gaps == 0 ? 0 : static_cast<double>(single) / static_cast<double>(gaps);
}

}  // namespace

double value_at(const Slot& slot, std::size_t row) {
  return slot.constant ? *slot.constant : slot.values[row];
}

LineMetrics find_metrics(const TemplateSeries& series, const std::vector<SlotName>& names,
                         std::size_t counting) {
  LineMetrics out;
  find_loss(series, names, counting, out);
  find_step_time(series, names, out);
  out.epoch = find_epoch(series, names, counting);
  return out;
}

std::optional<SecondPrinter> find_second_printer(const NamedStream& stream, const Family& family) {
  std::optional<SecondPrinter> best;
  double best_share = 0;
  for (std::size_t t = 0; t < stream.series->templates.size(); ++t) {
    const TemplateSeries& series = stream.series->templates[t];
    const bool member = std::any_of(family.members.begin(), family.members.end(),
                                    [&](const FamilyMember& m) { return m.series == t; });
    if (member || series.seq.empty()) continue;
    const LineMetrics metrics = find_metrics(series, stream.names[t], kNoSlot);
    if (!metrics.loss || is_auxiliary(series, *metrics.loss)) continue;
    const double share = one_between(family, series);
    if (share < kOneBetween) continue;
    const bool better = !best || (metrics.loss_sure && !best->metrics.loss_sure) ||
                        (metrics.loss_sure == best->metrics.loss_sure && share > best_share);
    if (!better) continue;
    best_share = share;
    best = SecondPrinter{t, metrics, family.points.front().seq < series.seq.front()};
  }
  return best;
}

}  // namespace tfpm
