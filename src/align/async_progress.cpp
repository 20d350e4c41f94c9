#include "align/async_progress.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "align/robust_line.h"
#include "store/database.h"
#include "store/row_writer.h"

namespace tfpm {
namespace {

constexpr double kStale = 4;            // times the others' number
constexpr double kAllPrinted = 0.7;     // of all updates: more would be said of one missing log
constexpr std::size_t kMinPushes = 12;  // of a task whose gaps are to tell of a change
constexpr std::size_t kMinSide = 5;
constexpr double kChange = 0.6;  // of one task at least: gaps are averages of whole numbers
constexpr double kSupF = 30;     // as for clocks

// Differences of consecutive global steps; a repeated or lower one (a restored server) tells
// nothing.
std::vector<double> gaps_of(const AsyncTrack& t) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < t.steps.size(); ++i) {
    if (t.steps[i] > t.steps[i - 1])
      gaps.push_back(static_cast<double>(t.steps[i] - t.steps[i - 1]));
  }
  return gaps;
}

double mean(const std::vector<double>& v, std::size_t from, std::size_t to) {
  double sum = 0;
  for (std::size_t i = from; i < to; ++i) sum += v[i];
  return sum / static_cast<double>(to - from);
}

struct Break {
  std::size_t at = 0;  // index of the first gap behind it
  double before = 0, after = 0, f = 0;
};

// The split of a series whose two means explain most.
Break best_break(const std::vector<double>& gaps) {
  Break best;
  const std::size_t n = gaps.size();
  const double all = mean(gaps, 0, n);
  double total = 0;
  for (const double g : gaps) total += (g - all) * (g - all);
  for (std::size_t at = kMinSide; at + kMinSide <= n; ++at) {
    const double left = mean(gaps, 0, at), right = mean(gaps, at, n);
    const auto l = static_cast<double>(at), r = static_cast<double>(n - at);
    const double between = l * (left - all) * (left - all) + r * (right - all) * (right - all);
    const double rest = std::max(total - between, 1e-9);
    const double f = between / (rest / static_cast<double>(n - 2));
    if (f > best.f) best = {at, left, right, f};
  }
  return best;
}

Value real(const std::optional<double>& v) {
  return v ? Value(*v) : null_value();
}

// Tracks of one generation, in order of worker.
std::map<std::int64_t, std::vector<AsyncTrack>> tracks_by_generation(const Model& m) {
  std::map<std::int64_t, std::map<int, AsyncTrack>> by_worker;
  for (const MarkerInfo& k : m.markers) {
    const int w = m.streams[static_cast<std::size_t>(k.stream)].worker;
    if (w < 0 || !k.generation || k.superseded) continue;
    if (!m.workers[static_cast<std::size_t>(w)].trains()) continue;
    AsyncTrack& t = by_worker[*k.generation][w];
    t.worker = w;
    t.steps.push_back(k.step);
  }
  std::map<std::int64_t, std::vector<AsyncTrack>> out;
  for (auto& [generation, tracks] : by_worker) {
    for (auto& [w, track] : tracks) out[generation].push_back(std::move(track));
  }
  return out;
}

}  // namespace

std::vector<AsyncShare> async_shares(const std::vector<AsyncTrack>& tracks) {
  std::vector<AsyncShare> out;
  const auto others = static_cast<double>(tracks.size()) - 1;
  double together = 0;
  for (const AsyncTrack& t : tracks) {
    AsyncShare s;
    s.worker = t.worker;
    s.pushes = t.steps.size();
    const std::vector<double> gaps = gaps_of(t);
    if (!gaps.empty()) {
      const auto stale = static_cast<double>(std::count_if(
          gaps.begin(), gaps.end(), [&](double g) { return g - 1 > kStale * others; }));
      s.share = 1 / mean(gaps, 0, gaps.size());
      s.staleness = median_of(gaps) - 1;
      s.stale_share = stale / static_cast<double>(gaps.size());
      together += *s.share;
    }
    out.push_back(s);
  }
  if (together >= kAllPrinted && together <= 1 / kAllPrinted) return out;
  for (AsyncShare& s : out) s.share = s.staleness = s.stale_share = std::nullopt;
  return out;
}

std::optional<AsyncChange> async_change(const std::vector<AsyncTrack>& tracks) {
  std::vector<double> lows, highs, before, after;
  std::size_t asked = 0;
  for (const AsyncTrack& t : tracks) {
    const std::vector<double> gaps = gaps_of(t);
    if (gaps.size() < kMinPushes || gaps.size() + 1 != t.steps.size()) continue;
    ++asked;
    const Break b = best_break(gaps);
    if (b.f < kSupF || std::fabs(b.before - b.after) < kChange) continue;
    lows.push_back(static_cast<double>(t.steps[b.at - 1]));
    highs.push_back(static_cast<double>(t.steps[b.at + 1]));
    before.push_back(b.before);
    after.push_back(b.after);
  }
  if (lows.empty() || 2 * lows.size() < asked) return std::nullopt;
  AsyncChange out;
  out.witnesses = lows.size();
  out.step_lo = std::llround(median_of(lows));
  out.step_hi = std::llround(median_of(highs));
  out.before = median_of(before);
  out.after = median_of(after);
  return out;
}

Status store_async_progress(Database& db, const Model& m) {
  if (m.synchronous) return ok_status();
  RowWriter writer(db);
  for (const auto& [generation, tracks] : tracks_by_generation(m)) {
    for (const AsyncShare& s : async_shares(tracks)) {
      TFPM_RETURN_IF_ERROR(writer
                               .write({"async_worker",
                                       {{"generation", generation},
                                        {"worker_id", std::int64_t{s.worker} + 1},
                                        {"pushes", static_cast<std::int64_t>(s.pushes)},
                                        {"share", real(s.share)},
                                        {"staleness", real(s.staleness)},
                                        {"stale_share", real(s.stale_share)}}})
                               .status());
    }
    if (const std::optional<AsyncChange> c = async_change(tracks)) {
      TFPM_RETURN_IF_ERROR(writer
                               .write({"async_change",
                                       {{"generation", generation},
                                        {"step_lo", c->step_lo},
                                        {"step_hi", c->step_hi},
                                        {"tasks_before", c->before},
                                        {"tasks_after", c->after},
                                        {"witnesses", static_cast<std::int64_t>(c->witnesses)}}})
                               .status());
    }
  }
  return ok_status();
}

}  // namespace tfpm
