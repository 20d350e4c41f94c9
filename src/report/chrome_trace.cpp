// A database as a trace for chrome://tracing and Perfetto: the JSON form of the Trace Event Format
// ("JSON Array Format" inside an object with "traceEvents").
//
// One process per task, with three tracks: steps, phases, failures. The time axis is the common
// clock; a task that could not be aligned is put where its steps were completed by others, and a
// run without any stamps on an axis of one second per step.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "report/query.h"
#include "report/report.h"

namespace tfpm {
namespace {

using Json = nlohmann::ordered_json;
using report::clean_text;
using report::MaybeInt;

enum Track { kSteps = 1, kPhases = 2, kFailures = 3 };
constexpr std::int64_t kNobody = 0;          // process of what belongs to no task
constexpr std::int64_t kStepUs = 1'000'000;  // of the axis without stamps
constexpr std::int64_t kMaxStep = std::numeric_limits<std::int64_t>::max() / kStepUs;

using Run = std::tuple<std::int64_t, std::int64_t>;  // worker.id, attempt

// First and last instant of one process run, and of its steps.
struct Extent {
  MaybeInt first, last, first_step, last_step;
  void add(std::int64_t us) {
    first = std::min(first.value_or(us), us);
    last = std::max(last.value_or(us), us);
  }
};

class TraceWriter {
 public:
  TraceWriter(Database& db, std::string tool) : db_(db), tool_(std::move(tool)) {}

  Result<std::string> run() {
    TFPM_RETURN_IF_ERROR(find_axis());
    TFPM_RETURN_IF_ERROR(name_processes());
    TFPM_RETURN_IF_ERROR(add_steps());
    TFPM_RETURN_IF_ERROR(add_records());
    TFPM_RETURN_IF_ERROR(add_exits());
    add_phases();
    const Json head = {{"tool", tool_}, {"axis", axis_}};
    return "{\"displayTimeUnit\":\"ms\",\"otherData\":" + head.dump() + ",\"traceEvents\":[\n" +
           events_ + "\n]}\n";
  }

 private:
  void put(const Json& event) {
    if (!events_.empty()) events_ += ",\n";
    events_ += event.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  // The first instant is 0 on the axis; without any stamp steps make the axis.
  Status find_axis() {
    const auto aligned =
        db_.query_int("SELECT 1 FROM worker WHERE clock_offset_us IS NOT NULL LIMIT 1");
    if (!aligned.ok()) return aligned.status();
    any_aligned_ = aligned->has_value();
    const char* time = any_aligned_ ? "time_ref_us" : "time_raw_us";
    const auto first =
        db_.query_int(fmt::format("SELECT min({}) FROM timeline WHERE kind <> 'exit'", time));
    if (!first.ok()) return first.status();
    if (first->has_value()) {
      origin_ = **first;
      axis_ = any_aligned_ ? "common clock" : "clock as written";
    }
    return report::for_each_row(
        db_,
        fmt::format("SELECT generation, step_lo, min({0}), max({0}) FROM timeline WHERE kind = "
                    "'marker' AND {0} IS NOT NULL GROUP BY 1, 2",
                    time),
        [&](const Statement& row) {
          const std::int64_t middle = row.as_int(2) + (row.as_int(3) - row.as_int(2)) / 2;
          step_time_[{row.as_int(0), row.as_int(1)}] = middle - origin_.value_or(0);
        });
  }

  // Place of a stamp on the axis, microseconds; absent when the task's clock is not aligned.
  MaybeInt on_axis(const Statement& row, int ref, int raw) const {
    if (!origin_) return std::nullopt;
    const int column = any_aligned_ ? ref : raw;
    if (row.is_null(column)) return std::nullopt;
    return std::max<std::int64_t>(0, row.as_int(column) - *origin_);
  }

  std::int64_t step_place(std::int64_t generation, std::int64_t step) const {
    // Steps come from a bundle: one may be as great as a number can be.
    if (!origin_) return std::clamp<std::int64_t>(step, 0, kMaxStep) * kStepUs;
    const auto known = step_time_.lower_bound({generation, step});
    if (known != step_time_.end() && known->first.first == generation) return known->second;
    return step_time_.empty() ? 0 : step_time_.rbegin()->second;
  }

  Status name_processes() {
    name(kNobody, "process_name", 0, "job");
    return report::for_each_row(db_, "SELECT id, name, instance FROM worker ORDER BY id",
                                [&](const Statement& row) {
                                  std::string title = clean_text(row, 1);
                                  if (row.as_int(2) > 0)
                                    title += fmt::format(" (process {})", row.as_int(2) + 1);
                                  const std::int64_t pid = row.as_int(0);
                                  name(pid, "process_name", 0, title);
                                  name(pid, "thread_name", kSteps, "steps");
                                  name(pid, "thread_name", kPhases, "phases");
                                  name(pid, "thread_name", kFailures, "failures");
                                  put({{"name", "process_sort_index"},
                                       {"ph", "M"},
                                       {"pid", pid},
                                       {"tid", 0},
                                       {"args", {{"sort_index", pid}}}});
                                });
  }

  void name(std::int64_t pid, const char* what, std::int64_t tid, const std::string& title) {
    put({{"name", what}, {"ph", "M"}, {"pid", pid}, {"tid", tid}, {"args", {{"name", title}}}});
  }

  void slice(std::int64_t pid, Track track, const std::string& title, std::int64_t from,
             std::int64_t to, const char* category, Json args) {
    put({{"name", title},
         {"cat", category},
         {"ph", "X"},
         {"ts", from},
         {"dur", std::max<std::int64_t>(0, to - from)},
         {"pid", pid},
         {"tid", static_cast<int>(track)},
         {"args", std::move(args)}});
  }

  // A step lasts from the marker before it to its own.
  Status add_steps() {
    std::map<Run, std::pair<std::int64_t, std::int64_t>> before;  // step, end
    return report::for_each_row(
        db_,
        "SELECT w.id, m.attempt, coalesce(m.generation, 0), m.step, m.time_raw_us - "
        "w.clock_offset_us, m.time_raw_us, m.loss, m.loss_state, s.path, m.line, m.superseded FROM "
        "step_marker m JOIN stream t ON t.id = m.stream JOIN worker w ON w.id = t.worker_id JOIN "
        "source s ON s.id = t.source_id ORDER BY w.id, m.stream, m.seq",
        [&](const Statement& row) {
          const Run run{row.as_int(0), row.maybe_int(1).value_or(0)};
          const std::int64_t step = row.as_int(3);
          const std::int64_t end = on_axis(row, 4, 5).value_or(step_place(row.as_int(2), step));
          const auto last = before.find(run);
          const bool follows = last != before.end() && last->second.first < step;
          const std::int64_t begin = follows
                                         ? last->second.second
                                         : std::max<std::int64_t>(0, origin_ ? end : end - kStepUs);
          Json args = {{"generation", row.as_int(2)}, {"step", step}};
          if (!row.is_null(6)) args["loss"] = row.as_double(6);
          if (row.is_null(6) && !row.is_null(7)) args["loss"] = clean_text(row, 7);
          args["line"] = fmt::format("{}:{}", clean_text(row, 8), row.as_int(9));
          if (row.as_int(10) != 0) args["superseded"] = true;
          slice(row.as_int(0), kSteps, fmt::format("step {}", step), std::min(begin, end), end,
                "step", std::move(args));
          before[run] = {step, end};
          Extent& extent = extents_[run];
          extent.add(end);
          if (!extent.first_step) extent.first_step = std::min(begin, end);
          extent.last_step = end;
        });
  }

  Status add_records() {
    return report::for_each_row(
        db_,
        "SELECT w.id, e.attempt, coalesce(e.generation, 0), e.step_lo, e.time_ref_us, "
        "e.time_raw_us, e.kind, e.severity, e.role, s.path, e.line, coalesce(c.text, e.text), "
        "e.outcome FROM event e JOIN worker w ON w.id = e.worker_id JOIN source s ON s.id = "
        "e.source_id LEFT JOIN context_line c ON c.source_id = e.source_id AND c.line = e.line "
        "WHERE e.kind <> 'tail' GROUP BY e.source_id, e.line ORDER BY e.id",
        [&](const Statement& row) {
          const Run run{row.as_int(0), row.maybe_int(1).value_or(0)};
          const MaybeInt step = row.maybe_int(3);
          MaybeInt at = on_axis(row, 4, 5);
          if (!at && step) at = step_place(row.as_int(2), *step);
          if (!at) return;
          extents_[run].add(*at);
          const std::string kind = clean_text(row, 6);
          const std::string severity = clean_text(row, 7);
          const bool failure =
              kind == "traceback" || kind == "crash" || severity == "error" || severity == "fatal";
          if (!failure || clean_text(row, 12) == "progressed_after") return;
          std::string title = clean_text(row, 11, 200);
          title = title.substr(0, title.find('\n'));
          Json args = {{"line", fmt::format("{}:{}", clean_text(row, 9), row.as_int(10))},
                       {"role", row.is_null(8) ? Json(nullptr) : Json(clean_text(row, 8))}};
          instant(row.as_int(0), title, *at, "failure", std::move(args));
        });
  }

  void instant(std::int64_t pid, const std::string& title, std::int64_t at, const char* category,
               Json args) {
    put({{"name", title},
         {"cat", category},
         {"ph", "i"},
         {"s", "p"},
         {"ts", at},
         {"pid", pid},
         {"tid", static_cast<int>(kFailures)},
         {"args", std::move(args)}});
  }

  // Ends of processes stand at the last sign of life: the launcher's clock is another one.
  Status add_exits() {
    return report::for_each_row(
        db_, "SELECT worker_id, n, terminal, exit_code, ending FROM attempt ORDER BY worker_id, n",
        [&](const Statement& row) {
          const auto extent = extents_.find({row.as_int(0), row.as_int(1)});
          if (extent == extents_.end() || !extent->second.last) return;
          std::string title = row.is_null(4) ? "end" : "end: " + clean_text(row, 4);
          if (!row.is_null(3)) title += fmt::format(" ({})", row.as_int(3));
          instant(row.as_int(0), title, *extent->second.last, "process",
                  {{"attempt", row.as_int(1)}});
        });
  }

  void add_phases() {
    for (const auto& [run, extent] : extents_) {
      const auto [worker, attempt] = run;
      const Json args = {{"attempt", attempt}};
      if (!extent.first_step) {
        slice(worker, kPhases, "no step", *extent.first, *extent.last, "phase", args);
        continue;
      }
      slice(worker, kPhases, "start-up", *extent.first, *extent.first_step, "phase", args);
      slice(worker, kPhases, "training", *extent.first_step, *extent.last_step, "phase", args);
      slice(worker, kPhases, "after the last step", *extent.last_step, *extent.last, "phase", args);
    }
  }

  Database& db_;
  std::string tool_;
  std::string events_;
  std::string axis_ = "one second a step";
  bool any_aligned_ = false;
  MaybeInt origin_;  // microseconds since the epoch of instant 0; absent = no stamps
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> step_time_;  // generation, step
  std::map<Run, Extent> extents_;
};

}  // namespace

Result<std::string> render_chrome_trace(Database& db) {
  Result<Statement> version = db.prepare("SELECT value FROM meta WHERE key = 'tfpm_version'");
  if (!version.ok()) return version.status();
  const Result<bool> row = version->step();
  if (!row.ok()) return row.status();
  return TraceWriter(db, "tfpm " + (*row ? version->text(0) : std::string())).run();
}

}  // namespace tfpm
