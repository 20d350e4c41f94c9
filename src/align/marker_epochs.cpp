#include "align/marker_epochs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tfpm {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Labels printed in the family's own records.
bool own_labels(const NamedStream& stream, const Family& family,
                const std::vector<LineMetrics>& metrics, std::vector<double>& out) {
  bool any = false;
  for (std::size_t i = 0; i < family.points.size(); ++i) {
    const FamilyPoint& p = family.points[i];
    const auto& epoch = metrics[p.member].epoch;
    if (!epoch) continue;
    const TemplateSeries& series = stream.series->templates[family.members[p.member].series];
    const double value = value_at(series.slots[*epoch], p.row);
    if (!std::isfinite(value)) continue;
    out[i] = value;
    any = true;
  }
  return any;
}

bool is_member(const Family& family, std::size_t series) {
  return std::any_of(family.members.begin(), family.members.end(),
                     [&](const FamilyMember& m) { return m.series == series; });
}

// The header family: epochs on lines of their own, no auxiliary loop.
const Family* find_header(const std::vector<Family>& families, const Family& counted) {
  const Family* best = nullptr;
  for (const Family& f : families) {
    const bool own = std::any_of(f.members.begin(), f.members.end(), [&](const FamilyMember& m) {
      return is_member(counted, m.series);
    });
    if (own || f.auxiliary) continue;
    // The header that stands before the first record wins over one that closes the epoch.
    const bool early = f.points.front().seq < counted.points.front().seq;
    const bool best_early =
        best != nullptr && best->points.front().seq < counted.points.front().seq;
    if (best == nullptr || (early && !best_early)) best = &f;
  }
  return best;
}

// Where epochs are told on lines of their own.
struct EpochLine {
  std::uint64_t seq = 0;
  std::uint32_t attempt = 0;
  double epoch = 0;
};

std::vector<EpochLine> lines_of(const Family& family) {
  std::vector<EpochLine> lines;
  for (const FamilyPoint& p : family.points) lines.push_back({p.seq, p.attempt, p.count});
  return lines;
}

// A line that never changes, `Epoch 3/10` of a run that ended in it, is no family: look at the
// templates themselves.
std::vector<EpochLine> constant_lines(const NamedStream& stream, const Family& family) {
  for (std::size_t t = 0; t < stream.series->templates.size(); ++t) {
    const TemplateSeries& series = stream.series->templates[t];
    if (is_member(family, t)) continue;
    for (std::size_t s = 0; s < series.slots.size(); ++s) {
      const Slot& slot = series.slots[s];
      const bool epoch = stream.names[t][s].meaning.quantity == Quantity::kEpoch;
      if (!epoch || !slot.constant || slot.kind != SlotKind::kInteger) continue;
      if (any_word(series.pieces[s], kWordAux)) continue;
      std::vector<EpochLine> lines;
      for (const std::uint64_t seq : series.seq)
        lines.push_back({seq, static_cast<std::uint32_t>(stream.attempt_of(seq)), *slot.constant});
      return lines;
    }
  }
  return {};
}

// Lines that open an epoch: points behind one belong to it.
void label_behind(const std::vector<EpochLine>& lines, const Family& family,
                  std::vector<double>& out) {
  std::size_t h = 0;
  for (std::size_t i = 0; i < family.points.size(); ++i) {
    const FamilyPoint& p = family.points[i];
    while (h < lines.size() && lines[h].seq < p.seq) ++h;
    if (h > 0 && lines[h - 1].attempt == p.attempt) out[i] = lines[h - 1].epoch;
  }
}

// Lines that close an epoch: points before one belong to it, those behind the last to the next.
void label_before(const std::vector<EpochLine>& lines, const Family& family,
                  std::vector<double>& out) {
  std::size_t f = 0;
  for (std::size_t i = 0; i < family.points.size(); ++i) {
    const FamilyPoint& p = family.points[i];
    while (f < lines.size() && lines[f].seq < p.seq) ++f;
    const bool closed = f < lines.size() && lines[f].attempt == p.attempt;
    const bool behind = f > 0 && lines[f - 1].attempt == p.attempt;
    if (closed) {
      out[i] = lines[f].epoch;
    } else if (behind) {
      out[i] = lines[f - 1].epoch + 1;
    }
  }
}

bool header_labels(const NamedStream& stream, const Family& family, std::vector<double>& out) {
  const std::vector<Family> families = find_families(stream, CountedUnit::kEpoch);
  const Family* header = find_header(families, family);
  const std::vector<EpochLine> lines =
      header != nullptr ? lines_of(*header) : constant_lines(stream, family);
  if (lines.empty()) return false;
  const bool closing = lines.front().seq > family.points.front().seq;
  if (closing) {
    label_before(lines, family, out);
  } else {
    label_behind(lines, family, out);
  }
  return std::any_of(out.begin(), out.end(), [](double label) { return std::isfinite(label); });
}

// Exact over thinned points when the learner counted, else over the points there are.
std::vector<double> count_resets(const NamedStream& stream, const Family& family) {
  std::vector<double> counted(family.points.size(), 0);
  const bool single = family.members.size() == 1;
  const Slot& first =
      stream.series->templates[family.members[0].series].slots[family.members[0].slot];
  const bool exact = single && !first.backs.empty();
  double base = 0, count = 0;
  for (std::size_t i = 0; i < family.points.size(); ++i) {
    const FamilyPoint& p = family.points[i];
    const bool new_attempt = i == 0 || family.points[i - 1].attempt != p.attempt;
    if (new_attempt) {
      base = exact ? first.backs[p.row] : 0;
      count = 0;
    } else if (p.count < family.points[i - 1].count) {
      ++count;
    }
    counted[i] = exact ? first.backs[p.row] - base : count;
  }
  return counted;
}

}  // namespace

EpochLabels label_epochs(const NamedStream& stream, const Family& family,
                         const std::vector<LineMetrics>& metrics) {
  EpochLabels labels;
  labels.counted = count_resets(stream, family);
  std::vector<double> printed(family.points.size(), kNone);
  if (own_labels(stream, family, metrics, printed) || header_labels(stream, family, printed))
    labels.printed = std::move(printed);
  return labels;
}

std::optional<double> epoch_period(const Family& family) {
  if (family.total) return family.total;
  const Motion& m = family.motion;
  const bool every_value = m.increment == 1 && m.increment_share >= 0.8;
  if (!every_value || !m.wraps) return std::nullopt;
  return m.bottom == 0 ? m.top + 1 : m.top;
}

std::vector<double> restored_steps(const NamedStream& stream, const Family& family) {
  std::vector<double> restored(stream.series->attempt_starts.size() + 1, kNone);
  for (std::size_t t = 0; t < stream.series->templates.size(); ++t) {
    const TemplateSeries& series = stream.series->templates[t];
    if (is_member(family, t) || !any_word(series.text, kWordRestore)) continue;
    for (std::size_t s = 0; s < series.slots.size(); ++s) {
      const bool step =
          stream.names[t][s].meaning.quantity == Quantity::kStep || series.pieces[s].ends_with('-');
      if (!step || series.slots[s].kind != SlotKind::kInteger) continue;
      for (std::size_t row = 0; row < series.seq.size(); ++row) {
        const double value = value_at(series.slots[s], row);
        if (std::isfinite(value)) restored[stream.attempt_of(series.seq[row])] = value;
      }
    }
  }
  return restored;
}

}  // namespace tfpm
