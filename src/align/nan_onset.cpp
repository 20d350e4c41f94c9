#include "align/nan_onset.h"

#include <algorithm>
#include <cmath>

#include "store/database.h"
#include "store/row_writer.h"

namespace tfpm {
namespace {

constexpr std::size_t kWindow = 20;  // nan_W
constexpr double kTrendZ = 2.33;     // nan_mk
constexpr double kJump = 10;         // nan_jump
constexpr double kMads = 4;
constexpr double kMadScale = 1.4826;

double median(std::vector<double> v) {
  const auto mid = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  std::nth_element(v.begin(), mid, v.end());
  return *mid;
}

double mad(const std::vector<double>& v, double center) {
  std::vector<double> d;
  for (const double x : v) d.push_back(std::fabs(x - center));
  return kMadScale * median(std::move(d));
}

// Mann-Kendall: is there a rising trend?
double mann_kendall_z(const std::vector<double>& v) {
  const auto n = static_cast<double>(v.size());
  double s = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    for (std::size_t j = i + 1; j < v.size(); ++j) s += v[j] > v[i] ? 1 : v[j] < v[i] ? -1 : 0;
  }
  const double variance = n * (n - 1) * (2 * n + 5) / 18;
  if (variance <= 0 || s == 0) return 0;
  return (s > 0 ? s - 1 : s + 1) / std::sqrt(variance);
}

using Run = std::vector<const MarkerInfo*>;  // one worker and generation, in order

// First index of the runaway that ends at `nan_at`, or nan_at when there is none.
std::size_t runaway_start(const Run& run, std::size_t nan_at) {
  if (nan_at < 4) return nan_at;
  std::vector<double> values;
  for (std::size_t i = 0; i < nan_at; ++i) values.push_back(run[i]->loss.value_or(0));
  // The history must not hold the runaway itself: leave the last three out.
  const std::vector<double> history(values.begin(), values.end() - 3);
  const double center = median(history);
  const double limit = center + kMads * mad(history, center);
  const bool jump = std::any_of(values.end() - 3, values.end(), [&](double x) {
    return x > limit && x > kJump * std::fabs(center);
  });
  const std::size_t from = values.size() > kWindow ? values.size() - kWindow : 0;
  const std::vector<double> window(values.begin() + static_cast<std::ptrdiff_t>(from),
                                   values.end());
  const double last3 = (values[nan_at - 1] + values[nan_at - 2] + values[nan_at - 3]) / 3;
  const bool trend = mann_kendall_z(window) > kTrendZ && last3 > limit;
  if (!jump && !trend) return nan_at;
  std::size_t start = nan_at;
  while (start > 0 && values[start - 1] > limit) --start;
  return start;
}

NanOnset onset_of(const Run& run, int worker, std::int64_t generation) {
  // The last stretch of non-finite values when the run ends in one, else the first.
  std::size_t first = run.size();
  while (first > 0 && run[first - 1]->loss_state != "finite") --first;
  const bool ends_bad = first < run.size();
  if (!ends_bad) {
    first = 0;
    while (run[first]->loss_state == "finite") ++first;
  }
  NanOnset o;
  o.worker = worker;
  o.generation = generation;
  o.stream = run[first]->stream;
  o.seq = run[first]->seq;
  o.step = run[first]->step;
  if (first > 0) o.last_finite = run[first - 1]->step;
  o.state = run[first]->loss_state;
  o.finite_after = !ends_bad;
  const std::size_t start = ends_bad ? runaway_start(run, first) : first;
  o.explodes = start < first;
  o.onset_step = run[start]->step;
  return o;
}

}  // namespace

std::vector<NanOnset> find_nan_onsets(const Model& m) {
  std::map<std::pair<int, std::int64_t>, Run> runs;
  for (const MarkerInfo& k : m.markers) {
    const int w = m.streams[static_cast<std::size_t>(k.stream)].worker;
    if (w < 0 || !k.generation || k.loss_state.empty() || k.superseded) continue;
    runs[{w, *k.generation}].push_back(&k);
  }
  std::vector<NanOnset> out;
  for (const auto& [key, run] : runs) {
    const bool any = std::any_of(run.begin(), run.end(),
                                 [](const MarkerInfo* k) { return k->loss_state != "finite"; });
    if (any) out.push_back(onset_of(run, key.first, key.second));
  }
  return out;
}

Status store_nan_onsets(Database& db, const Model& m, const std::vector<NanOnset>& onsets) {
  if (onsets.empty()) return ok_status();
  // One task's template may say 'unknown' (too few shared steps) where another's is decided.
  const auto mode = db.query_text(
      "SELECT loss_mode FROM marker_template WHERE chosen = 1 AND loss_mode IS NOT NULL ORDER BY "
      "CASE loss_mode WHEN 'local' THEN 0 WHEN 'reduced' THEN 1 ELSE 2 END LIMIT 1");
  if (!mode.ok()) return mode.status();
  const auto sure = db.query_int("SELECT max(loss_sure) FROM marker_template WHERE chosen = 1");
  if (!sure.ok()) return sure.status();
  RowWriter rows(db);
  for (const NanOnset& o : onsets) {
    const Row row{"nan_onset",
                  {{"worker_id", std::int64_t{o.worker} + 1},
                   {"generation", o.generation},
                   {"stream", m.streams[static_cast<std::size_t>(o.stream)].id},
                   {"seq", o.seq},
                   {"step", o.step},
                   {"last_finite", o.last_finite ? Value(*o.last_finite) : null_value()},
                   {"state", o.state},
                   {"finite_after", std::int64_t{o.finite_after ? 1 : 0}},
                   {"mode", mode->value_or("unknown")},
                   {"explodes", std::int64_t{o.explodes ? 1 : 0}},
                   {"onset_step", o.onset_step},
                   {"sure", sure->value_or(0)}}};
    TFPM_RETURN_IF_ERROR(rows.write(row).status());
  }
  return ok_status();
}

}  // namespace tfpm
