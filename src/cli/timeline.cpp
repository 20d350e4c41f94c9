// tfpm timeline: events in logical order, for reading.
#include <fmt/format.h>

#include <memory>

#include "cli/command_line.h"
#include "cli/database_path.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "cli/timeline_filter.h"
#include "report/clock_words.h"

namespace tfpm::cli {
namespace {

struct TimelineOptions {
  std::string database;
  std::string format = "text";
  TimelineFilter filter;
};

std::string step_text(const Statement& row) {
  const auto lo = row.maybe_int(1);
  const auto hi = row.maybe_int(2);
  if (lo.has_value() && lo == hi) return std::to_string(*lo);
  if (!lo.has_value() && !hi.has_value()) return "-";
  return (lo ? std::to_string(*lo) : "") + ".." + (hi ? std::to_string(*hi) : "");
}

// Time of day on the common clock; in brackets as written by a clock that cannot be aligned.
std::string time_text(const Statement& row) {
  const bool aligned = !row.is_null(8);
  if (!aligned && row.is_null(7)) return "-";
  constexpr std::int64_t kDay = 86'400'000'000;
  const std::int64_t us = ((row.as_int(aligned ? 8 : 7) % kDay) + kDay) % kDay;
  const std::int64_t s = us / 1'000'000;
  const std::string text =
      fmt::format("{:02}:{:02}:{:02}.{:03}", s / 3600, s / 60 % 60, s % 60, us / 1000 % 1000);
  return aligned ? text : "(" + text + ")";
}

constexpr const char* kLegend =
    "# generation/step, task, time, severity, place, text; in logical order\n"
    "# || = another task has a row here of which nobody knows whether it came before or after\n"
    "# times are on the common clock; in brackets: as written, that clock could not be aligned\n";

// One line a row.
std::string line_text(const Statement& row) {
  const std::string text = row.text(12);
  const std::string generation = row.is_null(0) ? "" : row.text(0) + "/";
  return fmt::format("{:>10} {} {:<14} {:>14} {:<8} {}:{}  {}\n", generation + step_text(row),
                     row.as_int(14) != 0 ? "||" : "  ",
                     row.is_null(4) ? "-" : printable(row.text(4)), time_text(row), row.text(6),
                     printable(row.text(10)), row.as_int(11),
                     printable(text.substr(0, text.find('\n'))));
}

// How far each clock can be trusted, a line a class.
Result<std::string> clock_lines(Database& db) {
  Result<Statement> rows = db.prepare(
      "SELECT name, clock_class, clock_error_us FROM worker WHERE clock_class IS NOT NULL"
      " ORDER BY id");
  if (!rows.ok()) return rows.status();
  std::vector<report::ClockStatement> clocks;
  for (;;) {
    const Result<bool> more = rows->step();
    if (!more.ok()) return more.status();
    if (!*more) break;
    clocks.push_back({rows->text(0), rows->text(1), rows->maybe_int(2)});
  }
  std::string out;
  for (const std::string& line : report::clock_sentences(clocks))
    out += "# clock of " + printable(line) + "\n";
  return out;
}

Result<std::string> lines_of(const std::string& clocks, Statement& rows) {
  std::string out = kLegend + clocks;
  for (;;) {
    const Result<bool> more = rows.step();
    if (!more.ok()) return more.status();
    if (!*more) return out;
    out += line_text(rows);
  }
}

Result<Table> table_of(Statement& rows) {
  Table table;
  table.columns = {"generation", "step_lo",  "step_hi",     "phase",       "worker",
                   "kind",       "severity", "time_raw_us", "time_ref_us", "time_err_us",
                   "source",     "line",     "text",        "signatures",  "concurrent"};
  constexpr bool kText[] = {false, false, false, true,  true, true, true, false,
                            false, false, true,  false, true, true, false};
  for (;;) {
    const Result<bool> more = rows.step();
    if (!more.ok()) return more.status();
    if (!*more) return table;
    std::vector<Value> row;
    for (int i = 0; i < static_cast<int>(table.columns.size()); ++i) {
      if (rows.is_null(i)) {
        row.emplace_back(std::monostate());
      } else if (kText[i]) {
        row.emplace_back(rows.text(i));
      } else {
        row.emplace_back(rows.as_int(i));
      }
    }
    table.rows.push_back(std::move(row));
  }
}

Result<int> run(const TimelineOptions& options) {
  Result<Database> db = open_database(options.database);
  if (!db.ok()) return db.status();
  Result<Statement> rows = select_timeline(*db, options.filter);
  if (!rows.ok()) return rows.status();
  Result<std::string> text = std::string();
  if (options.format == "text") {
    const Result<std::string> clocks = clock_lines(*db);
    if (!clocks.ok()) return clocks.status();
    text = lines_of(*clocks, *rows);
  } else {
    const Result<Table> table = table_of(*rows);
    if (!table.ok()) return table.status();
    text = to_text(*table, table_format(options.format).value_or(TableFormat::kCsv));
  }
  if (!text.ok()) return text.status();
  TFPM_RETURN_IF_ERROR(write_stdout(*text));
  return kExitOk;
}

void add_filter(Command command, TimelineFilter& filter) {
  command.option("--worker", filter.workers, "only this task, e.g. worker-3; may be repeated")
      .type("W");
  command.option("--step", filter.step, "only these steps; either end may be left out")
      .type("LO..HI");
  command.option("--generation", filter.generation, "only this start of the job, from 0").type("N");
  command.option("--severity", filter.severity, "only this severity and above")
      .one_of(std::vector<std::string>(std::begin(kSeverities), std::end(kSeverities)));
  command.option("--kind", filter.kinds, "only this kind of row; may be repeated")
      .one_of(std::vector<std::string>(std::begin(kTimelineKinds), std::end(kTimelineKinds)));
  command.option("--match", filter.match, "only rows with this in their text").type("TEXT");
  command.option("--limit", filter.limit, "at most so many rows").not_negative().type("N");
}

}  // namespace

void add_timeline(Command app, Context& context) {
  const Command command =
      app.add("timeline", "print events by generation, step and phase, not by clock");
  auto options = std::make_shared<TimelineOptions>();
  command.option("DB", options->database, "tfpm.db or the directory that holds it").required();
  add_filter(command, options->filter);
  command.option("--format", options->format, "text, csv, json, md")
      .one_of({"text", "csv", "json", "md"})
      .preset("text");
  command.action(context, [options] { return run(*options); });
}

}  // namespace tfpm::cli
