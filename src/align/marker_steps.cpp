#include "align/marker_steps.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "align/marker_epochs.h"

namespace tfpm {
namespace {

constexpr double kCovers = 0.8;
constexpr double kUsualBatch = 16;
constexpr double kSlowFirst = 4, kQuickFirst = 2;  // first gap over the median gap

class SeriesMaker {
 public:
  SeriesMaker(const NamedStream& stream, const Family& family, const JobNumbering& numbering)
      : stream_(stream),
        family_(family),
        first_(numbering.zero_based_epochs ? 0 : 1),
        units_per_step_(numbering.units_per_step),
        epoch_size_(numbering.epoch_size) {
    for (const FamilyMember& m : family.members) {
      metrics_.push_back(find_metrics(series_of(m), stream.names[m.series], m.slot));
      if (!m.loss) continue;
      metrics_.back().loss = m.loss;
      metrics_.back().loss_sure = true;
    }
  }

  MarkerSeries run() {
    choose_members();
    number_points();
    collect_rows();
    out_.has_loss = std::any_of(out_.rows.begin(), out_.rows.end(),
                                [](const MarkerRow& r) { return r.loss.has_value(); });
    name_slots_used();
    out_.edge = out_.has_loss || measures() ? MarkerEdge::kEnd : edge_of_lines();
    if (!out_.has_loss) add_second_printer();
    out_.like_samples = !family_.declared && counts_batches();
    if (!family_.declared_edge.empty()) out_.edge = edge_from(family_.declared_edge);
    return std::move(out_);
  }

 private:
  const TemplateSeries& series_of(const FamilyMember& m) const {
    return stream_.series->templates[m.series];
  }
  const TemplateSeries& series_of(const FamilyPoint& p) const {
    return series_of(family_.members[p.member]);
  }

  // Where lines of the family with a loss count nearly everything, those without only announce.
  void choose_members() {
    used_.assign(family_.members.size(), true);
    const bool mixed = std::any_of(metrics_.begin(), metrics_.end(), [&](const LineMetrics& m) {
      return m.loss.has_value() != metrics_[0].loss.has_value();
    });
    if (!mixed) return;
    std::set<std::pair<std::uint32_t, double>> with_loss, all;
    for (const FamilyPoint& p : family_.points) {
      all.emplace(p.attempt, p.count);
      if (metrics_[p.member].loss) with_loss.emplace(p.attempt, p.count);
    }
    const auto covered = static_cast<double>(with_loss.size());
    if (with_loss.empty() || covered < kCovers * static_cast<double>(all.size())) return;
    for (std::size_t i = 0; i < metrics_.size(); ++i) used_[i] = metrics_[i].loss.has_value();
  }

  // Step and epoch of every point.
  void number_points() {
    steps_.reserve(family_.points.size());
    for (const FamilyPoint& p : family_.points) steps_.push_back(p.count);
    epochs_.assign(family_.points.size(), std::nan(""));
    const EpochLabels labels = label_epochs(stream_, family_, metrics_);
    if (!labels.printed.empty()) epochs_ = labels.printed;
    if (family_.motion.wraps || is_late_epoch(labels)) unroll(labels);
    if (!units_per_step_) return;
    for (double& step : steps_) step = std::round(step / *units_per_step_);
  }

  // A run that was resumed in epoch 4 and ended in it counts from the beginning of that epoch.
  bool is_late_epoch(const EpochLabels& labels) const {
    if (labels.printed.empty() || !family_.total) return false;
    for (const double label : labels.printed)
      if (!std::isfinite(label) || label != labels.printed[0]) return false;
    return labels.printed[0] > first_ &&
           family_.motion.bottom <= std::max(1.0, family_.motion.increment);
  }

  void unroll(const EpochLabels& labels) {
    std::optional<double> period = epoch_period(family_);
    if (!period) period = epoch_size_;
    out_.numbered = period.has_value();
    const double length = period.value_or(family_.motion.top + 1);
    out_.length = length;
    if (period) out_.period = static_cast<std::int64_t>(*period);
    const std::vector<double> restored = restored_steps(stream_, family_);
    // Offset between counted and printed epochs, per attempt.
    std::vector<double> offset(restored.size(), std::nan(""));
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      double& known = offset[family_.points[i].attempt];
      if (std::isfinite(epochs_[i]) && std::isnan(known)) known = epochs_[i] - labels.counted[i];
    }
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const std::uint32_t attempt = family_.points[i].attempt;
      double epoch = epochs_[i];
      if (!std::isfinite(epoch)) {
        double base = offset[attempt];
        if (std::isnan(base)) {
          base = first_;
          if (std::isfinite(restored[attempt]) && period)
            base += std::floor(restored[attempt] / *period);
        }
        epoch = base + labels.counted[i];
      }
      steps_[i] = (epoch - first_) * length + family_.points[i].count;
    }
  }

  // Points of one step in one attempt become one row.
  void collect_rows() {
    std::size_t begin = 0;
    while (begin < family_.points.size()) {
      std::size_t end = begin + 1;
      while (end < family_.points.size() && steps_[end] == steps_[begin] &&
             family_.points[end].attempt == family_.points[begin].attempt)
        ++end;
      add_row(begin, end);
      begin = end;
    }
  }

  void add_row(std::size_t begin, std::size_t end) {
    MarkerRow row;
    bool placed = false;
    for (std::size_t i = begin; i < end; ++i) {
      const FamilyPoint& p = family_.points[i];
      if (!used_[p.member]) continue;
      if (!placed) {
        row.seq = p.seq;
        row.line = p.line;
        row.time_us = p.time_us;
        row.attempt = p.attempt;
        row.step = steps_[i];
        if (std::isfinite(epochs_[i])) row.epoch = static_cast<std::int64_t>(epochs_[i]);
        placed = true;
      }
      read_values(p, row);
    }
    if (placed) out_.rows.push_back(row);
  }

  // Redraws: the last finite or NaN value counts and one without the value takes nothing away; but
  // the line that closes an epoch repeats its last count with another mean (log-formats.md 5.3).
  void read_values(const FamilyPoint& p, MarkerRow& row) const {
    const LineMetrics& m = metrics_[p.member];
    const TemplateSeries& series = series_of(p);
    const bool closes = family_.total && p.count == *family_.total;
    if (m.loss && !(closes && row.loss)) {
      const double loss = value_at(series.slots[*m.loss], p.row);
      if (!is_missing(loss)) row.loss = loss;
    }
    if (m.step_time && !(closes && row.step_time_us)) {
      const double seconds = value_at(series.slots[*m.step_time], p.row) * m.step_time_unit;
      if (std::isfinite(seconds) && std::abs(seconds) < 1e9)
        row.step_time_us = static_cast<std::int64_t>(std::llround(seconds * 1e6));
    }
  }

  void name_slots_used() {
    for (std::size_t i = 0; i < family_.members.size(); ++i) {
      const FamilyMember& m = family_.members[i];
      const auto& names = stream_.names[m.series];
      if (out_.step_key.empty()) out_.step_key = names[m.slot].key;
      if (!metrics_[i].loss || !used_[i]) continue;
      if (out_.loss_key.empty()) out_.loss_key = names[*metrics_[i].loss].key;
      out_.loss_sure = out_.loss_sure || metrics_[i].loss_sure;
    }
  }

  // Any number in the line that is the outcome of the step.
  bool measures() const {
    for (std::size_t i = 0; i < family_.members.size(); ++i) {
      const TemplateSeries& series = series_of(family_.members[i]);
      for (std::size_t s = 0; s < series.slots.size(); ++s)
        if (series.slots[s].kind == SlotKind::kDecimal && !series.slots[s].constant) return true;
    }
    return false;
  }

  // `[640/60000]`: without a word, an increment that is a multiple of a usual batch size says that
  // samples are counted rather than every 640th step printed.
  bool counts_batches() const {
    const Motion& m = family_.motion;
    if (judge_key(out_.step_key).quantity == Quantity::kStep || m.increment_share < kCovers)
      return false;
    return m.increment >= kUsualBatch && std::fmod(m.increment, kUsualBatch) == 0 &&
           (m.bottom == 0 || m.bottom == m.increment);
  }

  static MarkerEdge edge_from(const std::string& name) {
    if (name == "begin") return MarkerEdge::kBegin;
    return name == "end" ? MarkerEdge::kEnd : MarkerEdge::kUnknown;
  }

  bool any_line_word(std::uint32_t classes) const {
    return std::any_of(family_.members.begin(), family_.members.end(),
                       [&](const FamilyMember& m) { return any_word(series_of(m).text, classes); });
  }

  // A line without a metric: its words, else whether the first step, which traces the program,
  // falls between the first two markers.
  MarkerEdge edge_of_lines() const {
    if (any_line_word(kWordBegin)) return MarkerEdge::kBegin;
    if (any_line_word(kWordDone)) return MarkerEdge::kEnd;
    std::vector<double> gaps;
    double first = 0;
    for (std::size_t i = 1; i < out_.rows.size(); ++i) {
      const MarkerRow &a = out_.rows[i - 1], &b = out_.rows[i];
      if (a.attempt != out_.rows[0].attempt || b.attempt != a.attempt) break;
      if (a.time_us == kNoTime || b.time_us == kNoTime) return MarkerEdge::kUnknown;
      const auto gap = static_cast<double>(b.time_us - a.time_us);
      if (i == 1) first = gap;
      gaps.push_back(gap);
    }
    if (gaps.size() < 3) return MarkerEdge::kUnknown;
    const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
    std::nth_element(gaps.begin(), middle, gaps.end());
    if (first > kSlowFirst * *middle) return MarkerEdge::kBegin;
    return first < kQuickFirst * *middle ? MarkerEdge::kEnd : MarkerEdge::kUnknown;
  }

  // The loss stands on a line of its own, once between any two markers.
  void add_second_printer() {
    const auto printer = find_second_printer(stream_, family_);
    if (!printer) return;
    const TemplateSeries& series = stream_.series->templates[printer->series];
    const Slot& slot = series.slots[*printer->metrics.loss];
    std::vector<MarkerRow> rows;
    std::size_t r = 0;
    for (std::size_t i = 0; i < out_.rows.size(); ++i) {
      MarkerRow row = out_.rows[i];
      const std::uint64_t next = i + 1 < out_.rows.size() ? out_.rows[i + 1].seq : UINT64_MAX;
      const std::uint64_t previous = i > 0 ? out_.rows[i - 1].seq : 0;
      const std::uint64_t from = printer->marker_first ? row.seq : previous;
      const std::uint64_t to = printer->marker_first ? next : row.seq;
      while (r < series.seq.size() && series.seq[r] < from) ++r;
      const bool found = r < series.seq.size() && series.seq[r] < to &&
                         stream_.attempt_of(series.seq[r]) == row.attempt;
      if (found) {
        const double loss = value_at(slot, r);
        if (!is_missing(loss)) row.loss = loss;
        if (printer->marker_first) {
          row.seq = series.seq[r];
          row.line = series.line[r];
          if (series.time_us[r] != kNoTime) row.time_us = series.time_us[r];
        }
        ++r;
      } else if (printer->marker_first && next == UINT64_MAX) {
        continue;  // opened, never completed
      }
      rows.push_back(row);
    }
    out_.rows = std::move(rows);
    out_.has_loss = true;
    out_.loss_sure = printer->metrics.loss_sure;
    out_.loss_key = stream_.names[printer->series][*printer->metrics.loss].key;
    out_.edge = MarkerEdge::kEnd;
  }

  const NamedStream& stream_;
  const Family& family_;
  double first_;
  std::optional<double> units_per_step_, epoch_size_;
  std::vector<LineMetrics> metrics_;
  std::vector<bool> used_;
  std::vector<double> steps_, epochs_;
  MarkerSeries out_;
};

}  // namespace

const char* to_string(MarkerEdge edge) {
  switch (edge) {
    case MarkerEdge::kBegin:
      return "begin";
    case MarkerEdge::kEnd:
      return "end";
    case MarkerEdge::kUnknown:
      return "unknown";
  }
  return "unknown";
}

MarkerSeries make_series(const NamedStream& stream, const Family& family,
                         const JobNumbering& numbering) {
  return SeriesMaker(stream, family, numbering).run();
}

}  // namespace tfpm
