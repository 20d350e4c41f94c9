#include "align/epoch_size.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/log_words.h"

namespace tfpm {
namespace {

constexpr double kAgree = 0.8;
constexpr double kMaxSize = 1e9;
constexpr double kTiny = 1e-9;
constexpr std::size_t kMaxSamples = 2000;  // of one tag: more tell nothing new

// The marker that stood last when something was written at `position`; end when none did.
template <typename Position, typename Of>
std::vector<MarkerRow>::const_iterator row_before(const std::vector<MarkerRow>& rows,
                                                  Position position, Of of) {
  const auto after =
      std::upper_bound(rows.begin(), rows.end(), position,
                       [&](Position p, const MarkerRow& row) { return p < of(row); });
  return after == rows.begin() ? rows.end() : after - 1;
}

EpochSample sample_at(const std::vector<MarkerRow>& rows,
                      std::vector<MarkerRow>::const_iterator row, double length, double step) {
  EpochSample s;
  s.epoch = std::floor(row->step / length);
  s.count = row->step - s.epoch * length;
  s.step = step;
  const auto next = row + 1;
  if (next == rows.end() || next->attempt != row->attempt) return s;
  s.next_epoch = std::floor(next->step / length);
  s.next_count = next->step - s.next_epoch * length;
  return s;
}

// "Saved ...-K" lines of a stream: place and K.
std::vector<std::pair<std::uint64_t, double>> saved_steps(const NamedStream& stream) {
  std::vector<std::pair<std::uint64_t, double>> out;
  for (const TemplateSeries& series : stream.series->templates) {
    if (!any_word(series.text, kWordSave)) continue;
    for (std::size_t s = 0; s < series.slots.size(); ++s) {
      if (series.slots[s].kind != SlotKind::kInteger || !series.pieces[s].ends_with('-')) continue;
      for (std::size_t row = 0; row < series.seq.size(); ++row) {
        out.emplace_back(series.seq[row], value_at(series.slots[s], row));
      }
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

std::optional<double> solve_epoch_size(const std::vector<EpochSample>& samples, double least) {
  // Every sample allows a range of sizes; count how many ranges cover each size.
  std::map<double, int> changes;
  std::set<double> steps;
  std::size_t used = 0;
  for (const EpochSample& s : samples) {
    if (s.epoch < 1 && s.next_epoch < 1) continue;
    ++used;
    const double low =
        s.next_epoch < 1 ? least : std::ceil((s.step - s.next_count) / s.next_epoch - kTiny);
    const double high = s.epoch < 1 ? kMaxSize : std::floor((s.step - s.count) / s.epoch + kTiny);
    if (high < std::max(low, least)) continue;
    ++changes[std::max(low, least)];
    --changes[high + 1];
    steps.insert(s.step);
  }
  if (steps.size() < 2) return std::nullopt;
  int covered = 0, most = 0;
  double best = 0, width = 0;  // of the sizes that most samples allow, all together
  for (auto change = changes.begin(); change != changes.end(); ++change) {
    covered += change->second;
    const auto next = std::next(change);
    if (covered < most || next == changes.end() || covered == 0) continue;
    if (covered > most) width = 0;
    most = covered;
    best = change->first;
    width += next->first - change->first;
  }
  if (width != 1 || most < kAgree * static_cast<double>(used)) return std::nullopt;
  return best;
}

std::vector<EpochSample> saved_samples(const NamedStream& stream,
                                       const std::vector<MarkerRow>& rows, double length) {
  std::vector<EpochSample> out;
  for (const auto& [seq, step] : saved_steps(stream)) {
    const auto row = row_before(rows, seq, [](const MarkerRow& r) { return r.seq; });
    if (row != rows.end()) out.push_back(sample_at(rows, row, length, step));
  }
  return out;
}

Result<std::vector<std::vector<EpochSample>>> metric_samples(Database& db,
                                                             const std::vector<MarkerRow>& rows,
                                                             double length) {
  std::vector<std::vector<EpochSample>> out;
  const bool stamped = std::all_of(rows.begin(), rows.end(),
                                   [](const MarkerRow& r) { return r.time_us != kNoTime; });
  if (rows.empty() || !stamped) return out;
  Result<Statement> s = db.prepare(
      "SELECT source_id, tag, step, wall_us FROM metric WHERE wall_us IS NOT NULL ORDER BY "
      "source_id, tag, seq");
  if (!s.ok()) return s.status();
  std::string last;
  for (;;) {
    const Result<bool> more = s->step();
    if (!more.ok()) return more.status();
    if (!*more) return out;
    const std::string key = s->text(0) + "/" + s->text(1);
    if (key != last) out.emplace_back();
    last = key;
    if (out.back().size() >= kMaxSamples) continue;
    const auto row = row_before(rows, s->as_int(3), [](const MarkerRow& r) { return r.time_us; });
    if (row == rows.end()) continue;
    out.back().push_back(sample_at(rows, row, length, static_cast<double>(s->as_int(2))));
  }
}

std::optional<double> closing_epoch_size(const NamedStream& stream) {
  for (const TemplateSeries& series : stream.series->templates) {
    if (series.slots.size() < 3) continue;
    // One line alone may be anything that is complete, unless it also tells the epoch's loss.
    if (series.records < 2 && !any_word(series.text, kWordLoss)) continue;
    const bool closes = series.pieces[0].empty() && series.pieces[1] == "/" &&
                        series.pieces[2].find('=') == std::string::npos;
    const std::optional<double>&count = series.slots[0].constant, &total = series.slots[1].constant;
    if (closes && count && total && *count == *total && *count > 0) return count;
  }
  return std::nullopt;
}

}  // namespace tfpm
