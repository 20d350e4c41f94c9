#include "cli/timeline_filter.h"

#include <charconv>

namespace tfpm::cli {
namespace {

struct StepRange {
  std::optional<std::int64_t> lo;
  std::optional<std::int64_t> hi;
};

Result<std::optional<std::int64_t>> parse_step(std::string_view text) {
  if (text.empty()) return std::optional<std::int64_t>();
  std::int64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size()) {
    return error(ErrorKind::kUsage, "not a step number", std::string(text), {},
                 "use --step 12, --step 10..20, --step 10.. or --step ..20");
  }
  return std::optional<std::int64_t>(value);
}

Result<StepRange> parse_range(std::string_view text) {
  const std::size_t dots = text.find("..");
  const bool single = dots == std::string_view::npos;
  const auto lo = parse_step(single ? text : text.substr(0, dots));
  if (!lo.ok()) return lo.status();
  const auto hi = parse_step(single ? text : text.substr(dots + 2));
  if (!hi.ok()) return hi.status();
  if (lo->has_value() && hi->has_value() && **lo > **hi) {
    return error(ErrorKind::kUsage, "the range of steps is empty", std::string(text), {},
                 "use --step LO..HI with LO not above HI");
  }
  return StepRange{*lo, *hi};
}

Status check_worker(Database& db, const std::string& worker) {
  Result<Statement> names = db.prepare(
      "SELECT group_concat(name, ', '), sum(name = ?1) FROM "
      "(SELECT DISTINCT name FROM worker ORDER BY id)");
  if (!names.ok()) return names.status();
  names->bind(1, std::string_view(worker));
  const Result<bool> row = names->step();
  if (!row.ok()) return row.status();
  if (names->as_int(1) > 0) return ok_status();
  return error(ErrorKind::kUsage, "no such task", worker, {}, "tasks are: " + names->text(0));
}

// "column IN (?5,?6)" with parameters from `first` on.
std::string one_of(std::string_view column, std::size_t values, int first) {
  if (values == 0) return {};
  std::string out = " AND " + std::string(column) + " IN (";
  for (std::size_t i = 0; i < values; ++i) {
    out += (i == 0 ? "?" : ",?") + std::to_string(first + static_cast<int>(i));
  }
  return out + ")";
}

constexpr int kFirstList = 7;

std::string sql_for(const TimelineFilter& filter) {
  const int first_kind = kFirstList + static_cast<int>(filter.workers.size());
  return "SELECT generation, step_lo, step_hi, phase, worker, kind, severity, time_raw_us,"
         " time_ref_us, time_err_us, source, line, text, signatures, concurrent FROM timeline"
         " WHERE (?1 IS NULL OR step_hi IS NULL OR step_hi >= ?1)"
         " AND (?2 IS NULL OR step_lo <= ?2)"
         " AND (?1 IS NULL AND ?2 IS NULL OR step_lo IS NOT NULL OR step_hi IS NOT NULL)"
         " AND (?3 IS NULL OR generation = ?3)"
         " AND (?4 IS NULL OR instr('none info warning error fatal', severity) >="
         " instr('none info warning error fatal', ?4))"
         " AND (?5 IS NULL OR instr(lower(text), lower(?5)) > 0)" +
         one_of("worker", filter.workers.size(), kFirstList) +
         one_of("kind", filter.kinds.size(), first_kind) + " LIMIT ?6";
}

}  // namespace

Result<Statement> select_timeline(Database& db, const TimelineFilter& filter) {
  const Result<StepRange> range = parse_range(filter.step.value_or(".."));
  if (!range.ok()) return range.status();
  for (const std::string& worker : filter.workers) {
    TFPM_RETURN_IF_ERROR(check_worker(db, worker));
  }
  Result<Statement> rows = db.prepare(sql_for(filter));
  if (!rows.ok()) return rows;
  if (range->lo) rows->bind(1, *range->lo);
  if (range->hi) rows->bind(2, *range->hi);
  if (filter.generation) rows->bind(3, *filter.generation);
  if (filter.severity) rows->bind(4, std::string_view(*filter.severity));
  if (filter.match) rows->bind(5, std::string_view(*filter.match));
  rows->bind(6, filter.limit.value_or(-1));
  int n = kFirstList;
  for (const auto* list : {&filter.workers, &filter.kinds}) {
    for (const std::string& value : *list) rows->bind(n++, std::string_view(value));
  }
  return rows;
}

}  // namespace tfpm::cli
