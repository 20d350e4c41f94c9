#include "align/marker_values.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "align/marker_metrics.h"
#include "align/scalar_kind.h"

namespace tfpm {
namespace {

// Numbers that tell how training goes; sizes, ranks, speeds and the like do not.
bool worth_keeping(const SlotName& name) {
  const ScalarKind kind = name.key.empty() ? ScalarKind::kNone : scalar_kind(name.key);
  return kind != ScalarKind::kNone;
}

class ValueCollector {
 public:
  ValueCollector(const NamedStream& stream, const Family& family, const MarkerSeries& series)
      : stream_(stream), family_(family), rows_(series.rows) {}

  std::vector<MarkerValue> collect() {
    collect_members();
    for (std::size_t t = 0; t < stream_.series->templates.size(); ++t) collect_between(t);
    std::stable_sort(out_.begin(), out_.end(), [](const MarkerValue& a, const MarkerValue& b) {
      return std::tie(a.name, a.at) < std::tie(b.name, b.at);
    });
    keep_changes();
    return std::move(out_);
  }

 private:
  // Slots of a template that are kept; `used` are its step, loss and time.
  std::vector<std::size_t> slots_of(std::size_t t, const std::vector<std::size_t>& used) {
    const std::vector<SlotName>& names = stream_.names[t];
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (std::find(used.begin(), used.end(), i) != used.end() || !worth_keeping(names[i]))
        continue;
      names_.insert(names[i].key);
      if (names_.size() > kMaxMarkerNames) {
        names_.erase(names[i].key);
        continue;
      }
      out.push_back(i);
    }
    return out;
  }

  LineMetrics metrics_of(const FamilyMember& m) const {
    LineMetrics out =
        find_metrics(stream_.series->templates[m.series], stream_.names[m.series], m.slot);
    if (m.loss) out.loss = m.loss;
    return out;
  }

  static std::vector<std::size_t> used_by(const FamilyMember& m, const LineMetrics& metrics) {
    std::vector<std::size_t> used = {m.slot};
    for (const auto& slot : {metrics.loss, metrics.step_time, metrics.epoch}) {
      if (slot) used.push_back(*slot);
    }
    return used;
  }

  // Per member its named loss, where a line of another form prints one for the same step behind it:
  // a task's own loss before the reduced one. The later is the row's. The line that closes an epoch
  // prints its last step again, which is no second loss.
  std::vector<std::optional<std::size_t>> find_earlier_losses(
      const std::vector<LineMetrics>& metrics) const {
    constexpr double kNearlyAll = 0.9;
    std::vector<double> printed(metrics.size()), again(metrics.size());
    const FamilyPoint* before = nullptr;  // the last point with a loss
    for (const FamilyPoint& p : family_.points) {
      if (!metrics[p.member].loss) continue;
      const bool same =
          before != nullptr && before->count == p.count && before->attempt == p.attempt;
      if (same && before->member != p.member) ++again[before->member];
      if (!same || before->member != p.member) ++printed[p.member];
      before = &p;
    }
    std::vector<std::optional<std::size_t>> out(metrics.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      const bool earlier = again[i] > 0 && again[i] >= kNearlyAll * printed[i];
      const bool named = metrics[i].loss_sure || !words_of_loss(family_.members[i].series).empty();
      if (earlier && named) out[i] = metrics[i].loss;
    }
    return out;
  }

  // "local loss at step": what stands before the first number of a line, where it says loss.
  std::string_view words_of_loss(std::size_t t) const {
    constexpr std::string_view kEdges = " :=[](),|-~";
    std::string_view words = stream_.series->templates[t].pieces.front();
    const std::size_t first = words.find_first_not_of(kEdges);
    if (first == std::string_view::npos) return {};
    words = words.substr(first, words.find_last_not_of(kEdges) - first + 1);
    return scalar_kind(words) == ScalarKind::kLoss ? words : std::string_view();
  }

  std::string name_of_line(std::size_t t) const {
    const std::string_view words = words_of_loss(t);
    return words.empty() ? stream_.series->templates[t].text : std::string(words);
  }

  void collect_members() {
    std::vector<LineMetrics> metrics;
    for (const FamilyMember& m : family_.members) metrics.push_back(metrics_of(m));
    const std::vector<std::optional<std::size_t>> earlier = find_earlier_losses(metrics);
    std::vector<std::vector<std::size_t>> slots;
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      const FamilyMember& m = family_.members[i];
      members_.insert(m.series);
      slots.push_back(slots_of(m.series, used_by(m, metrics[i])));
    }
    std::size_t next = 0;                // row
    const FamilyPoint* first = nullptr;  // point of the row before it
    for (const FamilyPoint& p : family_.points) {
      while (next < rows_.size() && rows_[next].seq < p.seq) ++next;
      if (next < rows_.size() && rows_[next].seq == p.seq) first = &p;
      // Redraws of the same count belong to its row: the last says most.
      const bool of_row =
          first != nullptr && p.count == first->count && p.attempt == first->attempt;
      if (!of_row) continue;
      for (const std::size_t slot : slots[p.member]) {
        add(family_.members[p.member].series, slot, p.row, first->seq);
      }
      if (earlier[p.member]) {
        const std::size_t t = family_.members[p.member].series;
        add(t, *earlier[p.member], p.row, first->seq, name_of_line(t));
      }
    }
  }

  // Lines of another form, such as the one that closes an epoch, belong to the step before them.
  void collect_between(std::size_t t) {
    if (members_.count(t) != 0) return;
    const std::vector<std::size_t> slots = slots_of(t, {});
    if (slots.empty()) return;
    const TemplateSeries& series = stream_.series->templates[t];
    std::size_t next = 0;
    for (std::size_t p = 0; p < series.seq.size(); ++p) {
      while (next < rows_.size() && rows_[next].seq <= series.seq[p]) ++next;
      if (next == 0) continue;
      const MarkerRow& row = rows_[next - 1];
      if (row.attempt != stream_.attempt_of(series.seq[p])) continue;
      for (const std::size_t slot : slots) add(t, slot, p, row.seq);
    }
  }

  void add(std::size_t t, std::size_t slot, std::size_t point, std::uint64_t row) {
    add(t, slot, point, row, stream_.names[t][slot].key);
  }

  void add(std::size_t t, std::size_t slot, std::size_t point, std::uint64_t row,
           const std::string& name) {
    const TemplateSeries& series = stream_.series->templates[t];
    const double value = value_at(series.slots[slot], point);
    if (is_missing(value)) return;
    out_.push_back({name, row, series.seq[point], value});
  }

  // Of one row the last value, and only where it differs from the row before.
  void keep_changes() {
    std::vector<MarkerValue> kept;
    for (std::size_t i = 0; i < out_.size(); ++i) {
      const MarkerValue& v = out_[i];
      const bool again =
          i + 1 < out_.size() && out_[i + 1].name == v.name && out_[i + 1].seq == v.seq;
      if (again) continue;
      const bool same =
          !kept.empty() && kept.back().name == v.name && equal(kept.back().value, v.value);
      if (!same) kept.push_back(v);
    }
    out_ = std::move(kept);
  }

  static bool equal(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

  const NamedStream& stream_;
  const Family& family_;
  const std::vector<MarkerRow>& rows_;
  std::set<std::string> names_;
  std::set<std::size_t> members_;
  std::vector<MarkerValue> out_;
};

}  // namespace

std::vector<MarkerValue> find_marker_values(const NamedStream& stream, const Family& family,
                                            const MarkerSeries& series) {
  return ValueCollector(stream, family, series).collect();
}

}  // namespace tfpm
