#include "align/nan_signs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "align/runaway.h"
#include "align/scalar_kind.h"
#include "store/database.h"
#include "store/row_writer.h"

namespace tfpm {
namespace {

constexpr std::int64_t kSoon = 50;    // nan_lr_steps: a risen rate shows itself within
constexpr double kRise = 1.5;         // nan_lr_rise
constexpr std::size_t kHalvings = 5;  // nan_halvings: in a row, without a growth between
constexpr double kNegligible = 1e-9;
constexpr std::size_t kWarmUp = 4;  // rising values that make a warm-up

struct Point {
  std::int64_t step = 0;
  double value = 0;  // NaN where the number was not finite
  std::string ref;
};

// One named number of one worker and generation, in order of step.
struct Series {
  int worker = -1;
  std::int64_t generation = 0;
  std::string name;
  ScalarKind kind = ScalarKind::kNone;
  std::vector<Point> points;
};

struct Sign {
  std::string_view kind;  // a literal, as in nan_sign.kind
  std::int64_t step = 0;
  std::string ref, text;
};

// Without an onset a loss scale alone has something to say.
Result<std::vector<Series>> load_series(Database& db, bool scales_only) {
  Result<Statement> s = db.prepare(fmt::format(
      "SELECT worker_id, generation, name, step, value, ref FROM scalar WHERE worker_id IS NOT "
      "NULL "
      "AND generation IS NOT NULL AND name LIKE '{}' ORDER BY worker_id, generation, name, origin, "
      "step, ref",
      scales_only ? "%scal%" : "%"));
  if (!s.ok()) return s.status();
  std::vector<Series> out;
  std::map<std::string, ScalarKind, std::less<>> kinds;
  while (true) {
    const Result<bool> row = s->step();
    if (!row.ok()) return row.status();
    if (!*row) return out;
    const std::string_view name = s->as_text(2);
    auto kind = kinds.find(name);
    if (kind == kinds.end()) {
      const ScalarKind judged = counts_epochs(name) ? ScalarKind::kNone : scalar_kind(name);
      kind = kinds.emplace(std::string(name), judged).first;
    }
    if (kind->second == ScalarKind::kNone || kind->second == ScalarKind::kLoss) continue;
    const int worker = static_cast<int>(*s->maybe_int(0)) - 1;
    const std::int64_t generation = *s->maybe_int(1);
    const bool same = !out.empty() && out.back().worker == worker &&
                      out.back().generation == generation && out.back().name == name;
    if (!same) out.push_back({worker, generation, std::string(name), kind->second, {}});
    const double value = s->maybe_double(4).value_or(std::nan(""));
    out.back().points.push_back({*s->maybe_int(3), value, s->text(5)});
  }
}

// A rate that rose by half or more within the last 50 steps, or rises all the way to the onset.
std::optional<Sign> rate_rise(const Series& series, std::int64_t onset) {
  std::vector<Point> before;
  for (const Point& p : series.points) {
    if (p.step <= onset && std::isfinite(p.value)) before.push_back(p);
  }
  for (std::size_t i = before.size(); i-- > 1;) {
    const Point& to = before[i];
    if (to.step < onset - kSoon) break;
    for (std::size_t k = i; k-- > 0;) {
      const Point& from = before[k];
      if (to.value >= kRise * from.value && to.value > kNegligible) {
        return Sign{"rate-rise", to.step, to.ref,
                    fmt::format("{} rose from {} to {} by step {}", series.name, from.value,
                                to.value, to.step)};
      }
      if (from.step < to.step - kSoon) break;
    }
  }
  const bool rises =
      before.size() >= kWarmUp && before.back().step >= onset - kSoon &&
      std::is_sorted(before.begin(), before.end(),
                     [](const Point& a, const Point& b) { return a.value <= b.value; });
  if (!rises || before.back().value <= before.front().value) return {};
  return Sign{"warm-up", before.back().step, before.back().ref,
              fmt::format("{} was still rising, from {} to {} at step {}", series.name,
                          before.front().value, before.back().value, before.back().step)};
}

std::optional<Sign> gradient_runaway(const Series& series, std::int64_t onset) {
  std::vector<double> values;
  std::vector<const Point*> points;
  const Point* bad = nullptr;
  for (const Point& p : series.points) {
    if (p.step > onset) break;
    if (!std::isfinite(p.value)) {
      bad = &p;
      break;
    }
    values.push_back(p.value);
    points.push_back(&p);
  }
  const std::size_t start = runaway_start(values);
  if (start < values.size()) {
    return Sign{"gradient-runaway", points[start]->step, points[start]->ref,
                fmt::format("{} ran away from step {} on", series.name, points[start]->step)};
  }
  if (bad == nullptr || bad->step >= onset) return {};
  return Sign{"gradient-bad", bad->step, bad->ref,
              fmt::format("{} is not finite at step {}, before the loss", series.name, bad->step)};
}

// The longest run of halvings without a growth. Steps without a change do not show here.
std::optional<Sign> scale_collapse(const Series& series) {
  std::size_t run = 0, best = 0;
  const Point* at = nullptr;
  for (std::size_t i = 1; i < series.points.size(); ++i) {
    const double before = series.points[i - 1].value, now = series.points[i].value;
    if (!(now < before) || !(now > 0)) {
      if (now > before) run = 0;
      continue;
    }
    // Where only every n-th step is printed, several halvings show as one.
    run += static_cast<std::size_t>(std::max(1L, std::lround(std::log2(before / now))));
    if (run <= best) continue;
    best = run;
    at = &series.points[i];
  }
  if (best < kHalvings) return {};
  return Sign{"scale-collapse", at->step, at->ref,
              fmt::format("{} was halved {} times in a row, to {} at step {}", series.name, best,
                          at->value, at->step)};
}

// A scale that falls with a bad value or at the next point printed: that update was skipped.
std::optional<Sign> scale_skip(const Series& series, std::int64_t onset) {
  for (std::size_t i = 1; i < series.points.size(); ++i) {
    const Point& from = series.points[i - 1];
    const Point& to = series.points[i];
    if (to.step < onset) continue;
    if (to.value > 0 && to.value < from.value) {
      return Sign{"scale-skip", to.step, to.ref,
                  fmt::format("{} fell from {} to {} at step {}: the update was skipped",
                              series.name, from.value, to.value, to.step)};
    }
    if (to.step > onset) break;
  }
  return {};
}

std::optional<Sign> finite_validation(const Series& series, std::int64_t onset) {
  for (const Point& p : series.points) {
    if (p.step < onset || !std::isfinite(p.value)) continue;
    return Sign{
        "finite-validation", p.step, p.ref,
        fmt::format("{} is {} at step {}: the weights are finite", series.name, p.value, p.step)};
  }
  return {};
}

// A mean over replicas that was summed: more than one, and no percentage, which would be larger.
std::optional<Sign> impossible_fraction(const Series& series) {
  constexpr double kMostReplicas = 16;
  double largest = 0;
  const Point* at = nullptr;
  for (const Point& p : series.points) {
    if (!(p.value > largest)) continue;
    largest = p.value;
    at = &p;
  }
  if (at == nullptr || largest <= 1.0001 || largest > kMostReplicas) return {};
  return Sign{"impossible-fraction", at->step, at->ref,
              fmt::format("{} is {}, more than all", series.name, largest)};
}

std::optional<Sign> sign_of(const Series& series, const NanOnset& onset) {
  switch (series.kind) {
    case ScalarKind::kLearningRate:
      return rate_rise(series, onset.step);
    case ScalarKind::kGradientNorm:
      return gradient_runaway(series, onset.step);
    case ScalarKind::kValidationLoss:
      return finite_validation(series, onset.step);
    case ScalarKind::kFraction:
      return impossible_fraction(series);
    case ScalarKind::kLossScale:
    case ScalarKind::kLoss:
    case ScalarKind::kNone:
      break;
  }
  return {};
}

Status store(RowWriter& rows, const Series& series, const Sign& sign, std::int64_t n) {
  return rows
      .write({"nan_sign",
              {{"worker_id", std::int64_t{series.worker} + 1},
               {"generation", series.generation},
               {"n", n},
               {"kind", text_value(sign.kind)},
               {"step", sign.step},
               {"ref", sign.ref},
               {"text", sign.text}}})
      .status();
}

}  // namespace

Status store_nan_signs(Database& db, const std::vector<NanOnset>& onsets) {
  const Result<std::vector<Series>> all = load_series(db, onsets.empty());
  if (!all.ok()) return all.status();
  std::map<std::pair<int, std::int64_t>, const NanOnset*> by_task;
  for (const NanOnset& onset : onsets) by_task[{onset.worker, onset.generation}] = &onset;
  RowWriter rows(db);
  std::int64_t n = 0;
  for (const Series& series : *all) {
    const auto onset = by_task.find({series.worker, series.generation});
    std::optional<Sign> sign;
    if (series.kind == ScalarKind::kLossScale) {
      sign = scale_collapse(series);
      if (!sign && onset != by_task.end()) sign = scale_skip(series, onset->second->step);
    } else if (onset != by_task.end()) {
      sign = sign_of(series, *onset->second);
    }
    if (sign) TFPM_RETURN_IF_ERROR(store(rows, series, *sign, n++));
  }
  return ok_status();
}

}  // namespace tfpm
