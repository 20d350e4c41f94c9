#include "align/loss_series.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "align/loss_agreement.h"
#include "align/scalar_kind.h"
#include "store/database.h"

namespace tfpm {
namespace {

double written_value(const std::optional<double>& value, std::string_view state) {
  if (value) return *value;
  const double inf = std::numeric_limits<double>::infinity();
  if (state == "inf") return inf;
  return state == "-inf" ? -inf : std::numeric_limits<double>::quiet_NaN();
}

std::int32_t place_index(LossSeries& series, std::string prefix, std::string suffix) {
  const std::pair<std::string, std::string> place(std::move(prefix), std::move(suffix));
  const auto found = std::find(series.places.begin(), series.places.end(), place);
  if (found != series.places.end()) {
    return static_cast<std::int32_t>(found - series.places.begin());
  }
  series.places.push_back(place);
  return static_cast<std::int32_t>(series.places.size() - 1);
}

// The names under which markers hold other losses.
Result<std::vector<std::string>> find_own_names(Database& db) {
  Result<Statement> s = db.prepare("SELECT DISTINCT name FROM marker_value ORDER BY name");
  if (!s.ok()) return s.status();
  std::vector<std::string> out;
  while (true) {
    const Result<bool> row = s->step();
    if (!row.ok()) return row.status();
    if (!*row) return out;
    if (scalar_kind(s->as_text(0)) == ScalarKind::kLoss) out.push_back(s->text(0));
  }
}

bool is_spoilt(const LossSeries& series) {
  return std::any_of(series.points.begin(), series.points.end(),
                     [](const LossPoint& p) { return !std::isfinite(p.value); });
}

using Key = std::tuple<int, std::int64_t, int>;  // worker, generation, 0 = log, 1 = event file
using SeriesMap = std::map<Key, LossSeries>;

LossSeries& series_of(SeriesMap& map, int worker, std::int64_t generation, bool from_log) {
  LossSeries& out = map[{worker, generation, from_log ? 0 : 1}];
  out.worker = worker;
  out.generation = generation;
  out.from_log = from_log;
  return out;
}

void add_printed(const Model& m, SeriesMap& map) {
  const MarkerInfo* before = nullptr;  // that went into `series`
  LossSeries* series = nullptr;
  std::int32_t place = 0;
  for (const MarkerInfo& k : m.markers) {
    const StreamInfo& stream = m.streams[static_cast<std::size_t>(k.stream)];
    if (stream.worker < 0 || !k.generation || is_missing(k.loss) || k.superseded) continue;
    if (before == nullptr || before->stream != k.stream || before->generation != k.generation) {
      series = &series_of(map, stream.worker, *k.generation, true);
      place = place_index(*series, "marker:" + std::to_string(stream.id) + ":", "");
    }
    before = &k;
    series->points.push_back({k.step, k.loss, k.seq, place});
  }
}

// A loss tag of an event file whose writer is known.
struct LossTag {
  std::int64_t source_id = 0;
  std::string tag;
  int worker = -1;
  std::int64_t generation = 0;
};

Result<std::vector<LossTag>> find_tags(Database& db) {
  Result<Statement> s = db.prepare(
      "SELECT e.source_id, m.tag, e.worker_id, e.generation FROM event_file e JOIN (SELECT "
      "DISTINCT "
      "source_id, tag FROM metric) m ON m.source_id = e.source_id WHERE e.worker_id IS NOT NULL "
      "AND "
      "e.generation IS NOT NULL ORDER BY e.source_id, length(m.tag), m.tag");
  if (!s.ok()) return s.status();
  std::vector<LossTag> out;
  while (true) {
    const Result<bool> row = s->step();
    if (!row.ok()) return row.status();
    if (!*row) return out;
    LossTag tag{*s->maybe_int(0), s->text(1), static_cast<int>(*s->maybe_int(2)) - 1,
                *s->maybe_int(3)};
    const bool again = !out.empty() && out.back().source_id == tag.source_id;
    const bool counts = scalar_kind(tag.tag) == ScalarKind::kLoss && !counts_epochs(tag.tag);
    if (counts && !again) out.push_back(std::move(tag));
  }
}

Status add_written(Database& db, const LossTag& tag, SeriesMap& map) {
  Result<Statement> s = db.prepare(
      "SELECT step, value, state, seq FROM metric WHERE source_id = ?1 AND tag = ?2 AND superseded "
      "= 0 ORDER BY seq");
  if (!s.ok()) return s.status();
  s->bind(1, tag.source_id).bind(2, std::string_view(tag.tag));
  LossSeries& series = series_of(map, tag.worker, tag.generation, false);
  const auto place =
      place_index(series, "metric:" + std::to_string(tag.source_id) + ":", ":" + tag.tag);
  while (true) {
    const Result<bool> row = s->step();
    if (!row.ok()) return row.status();
    if (!*row) return ok_status();
    series.points.push_back({*s->maybe_int(0), written_value(s->maybe_double(1), s->as_text(2)),
                             *s->maybe_int(3), place});
  }
}

Result<std::vector<LossSeries>> own_losses(Database& db, const Model& m, const std::string& name) {
  Result<Statement> s = db.prepare(
      "SELECT t.id, t.worker_id, k.generation, k.step, v.value, v.state, v.seq FROM marker_value v "
      "CROSS JOIN step_marker k ON k.stream = v.stream AND k.seq = v.seq JOIN stream t ON t.id = "
      "v.stream WHERE v.name = ?1 AND k.superseded = 0 AND k.generation IS NOT NULL AND "
      "t.worker_id IS NOT NULL ORDER BY t.worker_id, k.generation, v.stream, v.seq");
  if (!s.ok()) return s.status();
  s->bind(1, std::string_view(name));
  SeriesMap map;
  while (true) {
    const Result<bool> row = s->step();
    if (!row.ok()) return row.status();
    if (!*row) break;
    const int worker = static_cast<int>(*s->maybe_int(1)) - 1;
    if (!m.workers[static_cast<std::size_t>(worker)].trains()) continue;
    LossSeries& series = series_of(map, worker, *s->maybe_int(2), true);
    const auto place = place_index(series, "marker:" + std::to_string(*s->maybe_int(0)) + ":", "");
    series.points.push_back({*s->maybe_int(3), written_value(s->maybe_double(4), s->as_text(5)),
                             *s->maybe_int(6), place});
  }
  std::vector<LossSeries> out;
  for (auto& [key, series] : map) out.push_back(std::move(series));
  return out;
}

}  // namespace

std::string agreement_of(const Model& model, const std::vector<LossSeries>& losses, bool printed) {
  LossAgreement agreement;
  for (const LossSeries& series : losses) {
    const WorkerInfo& worker = model.workers[static_cast<std::size_t>(series.worker)];
    if (series.from_log != printed || !worker.trains()) continue;
    std::vector<MarkerRow> rows;
    for (const LossPoint& p : series.points) {
      MarkerRow row;
      row.step = static_cast<double>(p.step);
      row.loss = p.value;
      row.attempt = static_cast<std::uint32_t>(series.generation);
      rows.push_back(row);
    }
    agreement.add(series.worker, rows);
  }
  return agreement.mode();
}

Result<std::vector<LossSeries>> collect_own_losses(Database& db, const Model& model) {
  const Result<std::vector<std::string>> names = find_own_names(db);
  if (!names.ok()) return names.status();
  std::vector<LossSeries> out;
  for (const std::string& name : *names) {
    Result<std::vector<LossSeries>> series = own_losses(db, model, name);
    if (!series.ok()) return series.status();
    if (agreement_of(model, *series, true) != "local") continue;
    const bool spoilt = std::any_of(series->begin(), series->end(), is_spoilt);
    if (!spoilt && !out.empty()) continue;
    out = std::move(*series);
    if (spoilt) break;
  }
  return out;
}

std::string LossSeries::ref(const LossPoint& point) const {
  const auto& [prefix, suffix] = places[static_cast<std::size_t>(point.place)];
  return prefix + std::to_string(point.seq) + suffix;
}

Result<std::vector<LossSeries>> collect_losses(Database& db, const Model& model) {
  SeriesMap map;
  add_printed(model, map);
  const Result<std::vector<LossTag>> tags = find_tags(db);
  if (!tags.ok()) return tags.status();
  for (const LossTag& tag : *tags) TFPM_RETURN_IF_ERROR(add_written(db, tag, map));
  std::vector<LossSeries> out;
  for (auto& [key, series] : map) {
    if (!series.points.empty()) out.push_back(std::move(series));
  }
  return out;
}

}  // namespace tfpm
