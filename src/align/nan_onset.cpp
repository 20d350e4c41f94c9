#include "align/nan_onset.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "align/nan_signs.h"
#include "align/runaway.h"
#include "store/database.h"
#include "store/row_writer.h"

namespace tfpm {
namespace {

using Points = std::vector<LossPoint>;

std::string state_of(double value) {
  if (std::isnan(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
}

// First point of the last stretch of non-finite values when the run ends in one, else of the first
// stretch; points.size() when all are finite.
std::size_t first_bad(const Points& points, bool& ends_bad) {
  std::size_t first = points.size();
  while (first > 0 && !std::isfinite(points[first - 1].value)) --first;
  ends_bad = first < points.size();
  if (ends_bad) return first;
  first = 0;
  while (first < points.size() && std::isfinite(points[first].value)) ++first;
  return first;
}

std::optional<NanOnset> onset_of(const LossSeries& series) {
  const Points& points = series.points;
  bool ends_bad = false;
  const std::size_t first = first_bad(points, ends_bad);
  if (first == points.size()) return {};
  NanOnset o;
  o.worker = series.worker;
  o.generation = series.generation;
  o.ref = series.ref(points[first]);
  o.step = points[first].step;
  if (first > 0) o.last_finite = points[first - 1].step;
  o.state = state_of(points[first].value);
  o.finite_after = !ends_bad;
  o.from_log = series.from_log;
  o.onset_step = o.step;
  if (!ends_bad) return o;
  std::vector<double> before;
  // An earlier bad value that was survived is no part of the history.
  for (std::size_t i = 0; i < first; ++i) {
    before.push_back(std::isfinite(points[i].value) ? points[i].value : 0);
  }
  const std::size_t start = runaway_start(before);
  o.explodes = start < first;
  o.onset_step = points[start].step;
  return o;
}

// A finer series inside the interval of a coarser one. What the finer one calls the same step may
// differ by one, never the order.
void narrow(NanOnset& coarse, const NanOnset& fine) {
  const std::int64_t lo = coarse.last_finite.value_or(0);
  if (fine.finite_after != coarse.finite_after || fine.step > coarse.step || fine.step <= lo)
    return;
  if (fine.last_finite && *fine.last_finite > lo) coarse.last_finite = fine.last_finite;
  if (fine.explodes && !coarse.explodes) coarse.onset_step = fine.onset_step;
  if (!fine.explodes && !coarse.explodes) coarse.onset_step = fine.step;
  coarse.explodes = coarse.explodes || fine.explodes;
  coarse.step = fine.step;
}

Status store_onset(RowWriter& rows, const NanOnset& o, std::string_view mode, bool sure) {
  return rows
      .write({"nan_onset",
              {{"worker_id", std::int64_t{o.worker} + 1},
               {"generation", o.generation},
               {"ref", o.ref},
               {"step", o.step},
               {"last_finite", o.last_finite ? Value(*o.last_finite) : null_value()},
               {"state", o.state},
               {"finite_after", std::int64_t{o.finite_after ? 1 : 0}},
               {"mode", text_value(mode)},
               {"explodes", std::int64_t{o.explodes ? 1 : 0}},
               {"onset_step", o.onset_step},
               {"sure", std::int64_t{sure ? 1 : 0}}}})
      .status();
}

// Of one worker and generation the log's span, else the event files'; but where the finer of the
// two showed a later finite value before the onset, that one ends it.
Status store_spans(RowWriter& rows, const std::vector<LossSeries>& losses,
                   const std::vector<NanOnset>& onsets) {
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const LossSeries& s = losses[i];
    const bool again =
        i > 0 && losses[i - 1].worker == s.worker && losses[i - 1].generation == s.generation;
    if (again) continue;
    OptInt last_finite;
    for (const LossPoint& p : s.points) {
      if (std::isfinite(p.value)) last_finite = std::max(last_finite.value_or(p.step), p.step);
    }
    const auto key = std::pair(s.worker, s.generation);
    const auto onset = std::partition_point(onsets.begin(), onsets.end(), [&](const NanOnset& o) {
      return std::pair(o.worker, o.generation) < key;
    });
    const bool its = onset != onsets.end() && std::pair(onset->worker, onset->generation) == key;
    if (its && onset->last_finite) {
      last_finite = std::max(last_finite.value_or(0), *onset->last_finite);
    }
    const Row row{"loss_span",
                  {{"worker_id", std::int64_t{s.worker} + 1},
                   {"generation", s.generation},
                   {"basis", text_value(s.from_log ? "log" : "event-file")},
                   {"first_step", s.points.front().step},
                   {"last_step", s.points.back().step},
                   {"last_finite", last_finite ? Value(*last_finite) : null_value()}}};
    TFPM_RETURN_IF_ERROR(rows.write(row).status());
  }
  return ok_status();
}

// One task's template may say 'unknown' (too few shared steps) where another's is decided.
Result<std::string> printed_mode(Database& db) {
  auto mode = db.query_text(
      "SELECT loss_mode FROM marker_template WHERE chosen = 1 AND loss_mode IS NOT NULL ORDER BY "
      "CASE loss_mode WHEN 'local' THEN 0 WHEN 'reduced' THEN 1 ELSE 2 END LIMIT 1");
  if (!mode.ok()) return mode.status();
  return mode->value_or("unknown");
}

// Both by worker and generation, of each the log's first.
void replace_printed(std::vector<LossSeries>& losses, std::vector<LossSeries> own) {
  for (LossSeries& series : own) {
    const auto key = std::tuple(series.worker, series.generation, false);
    const auto at = std::partition_point(losses.begin(), losses.end(), [&](const LossSeries& s) {
      return std::tuple(s.worker, s.generation, !s.from_log) < key;
    });
    const bool there =
        at != losses.end() && std::tuple(at->worker, at->generation, !at->from_log) == key;
    if (there) {
      *at = std::move(series);
    } else {
      losses.insert(at, std::move(series));
    }
  }
}

}  // namespace

std::vector<NanOnset> find_nan_onsets(const std::vector<LossSeries>& losses) {
  std::vector<NanOnset> out;
  for (const LossSeries& series : losses) {
    const auto onset = onset_of(series);
    if (!onset) continue;
    const bool again = !out.empty() && out.back().worker == onset->worker &&
                       out.back().generation == onset->generation;
    if (again) {
      narrow(out.back(), *onset);
    } else {
      out.push_back(*onset);
    }
  }
  return out;
}

Status store_nan_facts(Database& db, const Model& m) {
  Result<std::vector<LossSeries>> losses = collect_losses(db, m);
  if (!losses.ok()) return losses.status();
  Result<std::string> printed = printed_mode(db);
  if (!printed.ok()) return printed.status();
  if (*printed != "local") {
    // A loss that is each task's own says more than the one the markers hold.
    Result<std::vector<LossSeries>> own = collect_own_losses(db, m);
    if (!own.ok()) return own.status();
    if (!own->empty()) {
      replace_printed(*losses, std::move(*own));
      *printed = "local";
    }
  }
  RowWriter rows(db);
  const std::vector<NanOnset> onsets = find_nan_onsets(*losses);
  TFPM_RETURN_IF_ERROR(store_spans(rows, *losses, onsets));
  const std::string written = agreement_of(m, *losses, false);
  const auto sure = db.query_int("SELECT max(loss_sure) FROM marker_template WHERE chosen = 1");
  if (!sure.ok()) return sure.status();
  for (const NanOnset& o : onsets) {
    const bool by_log = o.from_log && *printed != "unknown";
    const bool named = !o.from_log || sure->value_or(0) != 0;  // a tag names what it holds
    TFPM_RETURN_IF_ERROR(store_onset(rows, o, by_log ? *printed : written, named));
  }
  return store_nan_signs(db, onsets);
}

}  // namespace tfpm
