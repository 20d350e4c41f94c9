// Tasks, their attempts, clocks and sources.
#include <map>

#include "report/load.h"
#include "report/query.h"

namespace tfpm::report {
namespace {

constexpr std::string_view kTasksSql =
    "SELECT id, name, instance, host, last_step, terminal, ending, exit_code, has_log,"
    " clock_offset_us, clock_error_us, clock_class, l.role, l.finding_id"
    " FROM worker LEFT JOIN ledger l ON l.worker_id = id ORDER BY id";

Task task_of(const Statement& row) {
  Task task{.id = row.as_int(0),
            .name = clean_text(row, 1),
            .instance = row.as_int(2),
            .host = maybe_text(row, 3),
            .sources = {},
            .last_step = row.maybe_int(4),
            .terminal = maybe_text(row, 5),
            .ending = maybe_text(row, 6),
            .exit_code = row.maybe_int(7),
            .has_log = row.as_int(8) != 0,
            .attempts = {},
            .clock = std::nullopt,
            .clock_class = maybe_text(row, 11),
            .doing = std::nullopt,
            .role = row.is_null(12) ? "unclear" : clean_text(row, 12),
            .role_finding = row.maybe_int(13)};
  if (!row.is_null(9)) task.clock = Clock{row.as_int(9), row.maybe_int(10), maybe_text(row, 11)};
  return task;
}

}  // namespace

Status load_tasks(Database& db, ReportModel& model) {
  std::map<std::int64_t, std::size_t> places;  // worker.id -> index in the model
  TFPM_RETURN_IF_ERROR(for_each_row(db, kTasksSql, [&](const Statement& row) {
    places.emplace(row.as_int(0), model.tasks.size());
    model.tasks.push_back(task_of(row));
  }));
  const auto task_at = [&](std::int64_t id) -> Task* {
    const auto place = places.find(id);
    return place == places.end() ? nullptr : &model.tasks[place->second];
  };
  TFPM_RETURN_IF_ERROR(for_each_row(db,
                                    "SELECT l.worker_id, s.path FROM worker_source l JOIN source s"
                                    " ON s.id = l.source_id ORDER BY l.worker_id, s.path",
                                    [&](const Statement& row) {
                                      if (Task* task = task_at(row.as_int(0)))
                                        task->sources.push_back(clean_text(row, 1));
                                    }));
  return for_each_row(
      db, "SELECT worker_id, n, last_step, terminal, exit_code FROM attempt ORDER BY worker_id, n",
      [&](const Statement& row) {
        Task* task = task_at(row.as_int(0));
        if (task == nullptr) return;
        task->attempts.push_back({.n = row.as_int(1),
                                  .last_step = row.maybe_int(2),
                                  .terminal = maybe_text(row, 3),
                                  .exit_code = row.maybe_int(4)});
      });
}

}  // namespace tfpm::report
