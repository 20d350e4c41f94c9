// tfpm timeline: events in logical order, for reading.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>

#include "cli/command.h"
#include "cli/database_path.h"
#include "cli/terminal.h"

namespace tfpm::cli {
namespace {

struct TimelineOptions {
  std::string database;
  std::optional<std::string> worker;
  std::optional<std::string> step;
};

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

// 'LO..HI', either side may be missing; 'N' is N..N.
Result<StepRange> parse_range(std::string_view text) {
  const std::size_t dots = text.find("..");
  const bool single = dots == std::string_view::npos;
  const auto lo = parse_step(single ? text : text.substr(0, dots));
  if (!lo.ok()) return lo.status();
  const auto hi = parse_step(single ? text : text.substr(dots + 2));
  if (!hi.ok()) return hi.status();
  return StepRange{*lo, *hi};
}

std::string step_text(const Statement& row) {
  const auto lo = row.maybe_int(1);
  const auto hi = row.maybe_int(2);
  if (lo.has_value() && lo == hi) return std::to_string(*lo);
  if (!lo.has_value() && !hi.has_value()) return "-";
  return (lo ? std::to_string(*lo) : "") + ".." + (hi ? std::to_string(*hi) : "");
}

// One line a row: generation/step, task, severity, place, first line of the text.
std::string line_text(const Statement& row) {
  const std::string text = row.text(8);
  const std::string generation = row.is_null(0) ? "" : row.text(0) + "/";
  return fmt::format("{:>10}  {:<14} {:<8} {}:{}  {}\n", generation + step_text(row),
                     row.is_null(3) ? "-" : row.text(3), row.text(5), printable(row.text(6)),
                     row.as_int(7), printable(text.substr(0, text.find('\n'))));
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

Result<int> run(const TimelineOptions& options) {
  const Result<StepRange> range = parse_range(options.step.value_or(".."));
  if (!range.ok()) return range.status();
  Result<Database> db = open_database(options.database);
  if (!db.ok()) return db.status();
  if (options.worker.has_value()) TFPM_RETURN_IF_ERROR(check_worker(*db, *options.worker));
  Result<Statement> rows = db->prepare(
      "SELECT generation, step_lo, step_hi, worker, kind, severity, source, line, text FROM "
      "timeline"
      " WHERE (?1 IS NULL OR worker = ?1) AND (?2 IS NULL OR step_hi IS NULL OR step_hi >= ?2)"
      " AND (?3 IS NULL OR step_lo <= ?3)"
      " AND (?2 IS NULL AND ?3 IS NULL OR step_lo IS NOT NULL OR step_hi IS NOT NULL)");
  if (!rows.ok()) return rows.status();
  if (options.worker.has_value()) rows->bind(1, std::string_view(*options.worker));
  if (range->lo.has_value()) rows->bind(2, *range->lo);
  if (range->hi.has_value()) rows->bind(3, *range->hi);
  std::string out;
  for (;;) {
    const Result<bool> more = rows->step();
    if (!more.ok()) return more.status();
    if (!*more) break;
    out += line_text(*rows);
  }
  TFPM_RETURN_IF_ERROR(write_stdout(out));
  return kExitOk;
}

}  // namespace

void add_timeline(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("timeline", "print events by generation, step and phase, not by clock");
  auto options = std::make_shared<TimelineOptions>();
  command->add_option("DB", options->database, "tfpm.db or the directory that holds it")
      ->required();
  command->add_option("--worker", options->worker, "only this task, e.g. worker-3")->type_name("W");
  command->add_option("--step", options->step, "only these steps; either end may be left out")
      ->type_name("LO..HI");
  command->callback([&context, options] { context.action = [options] { return run(*options); }; });
}

}  // namespace tfpm::cli
