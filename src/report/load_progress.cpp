// Where the tasks were: the frontier and the step markers around the failure.
#include <algorithm>

#include "report/load.h"
#include "report/query.h"

namespace tfpm::report {
namespace {

constexpr std::size_t kStepsBefore = 3;  // up to and with the last common step
constexpr std::size_t kStepsAfter = 2;

// The step around which to look: where the verdict points, else the last common one.
MaybeInt centre_of(const ReportModel& model) {
  const Progress& progress = *model.progress;
  const MaybeInt common = progress.common ? progress.common : progress.frontier;
  const MaybeInt origin = model.verdict.step.lo;
  if (origin && common && *origin <= *common) return origin;
  return common ? common : origin;
}

Result<Statement> prepare_for(Database& db, std::string_view sql, std::int64_t generation) {
  Result<Statement> statement = db.prepare(sql);
  if (statement.ok()) statement->bind(1, generation);
  return statement;
}

Status choose_steps(Database& db, ReportModel& model, std::int64_t centre) {
  Result<Statement> statement = prepare_for(
      db,
      "SELECT DISTINCT m.step FROM step_marker m JOIN stream t ON t.id = m.stream"
      " WHERE coalesce(m.generation, 0) = ?1 AND t.worker_id IS NOT NULL ORDER BY m.step",
      model.progress->generation);
  if (!statement.ok()) return statement.status();
  std::vector<std::int64_t>& steps = model.window.steps;
  std::size_t after = 0;
  while (true) {
    const Result<bool> row = statement->step();
    if (!row.ok()) return row.status();
    if (!*row || after == kStepsAfter) break;
    const std::int64_t step = statement->as_int(0);
    if (step > centre) ++after;
    if (step <= centre && steps.size() == kStepsBefore) steps.erase(steps.begin());
    steps.push_back(step);
  }
  // The step nobody completed has no marker, and is where everybody waits.
  const MaybeInt origin = model.verdict.step.lo;
  if (origin && after < kStepsAfter && (steps.empty() || *origin > steps.back()))
    steps.push_back(*origin);
  return ok_status();
}

Status load_cells(Database& db, ReportModel& model) {
  const std::vector<std::int64_t>& steps = model.window.steps;
  Result<Statement> statement = prepare_for(
      db,
      "SELECT m.step, t.worker_id, m.time_raw_us, m.loss, m.loss_state FROM step_marker m"
      " JOIN stream t ON t.id = m.stream WHERE coalesce(m.generation, 0) = ?1"
      " AND t.worker_id IS NOT NULL AND m.step BETWEEN ?2 AND ?3 ORDER BY m.step, t.worker_id,"
      " m.superseded, m.stream, m.seq",
      model.progress->generation);
  if (!statement.ok()) return statement.status();
  statement->bind(2, steps.front()).bind(3, steps.back());
  std::vector<StepCell>& cells = model.window.cells;
  while (true) {
    const Result<bool> row = statement->step();
    if (!row.ok()) return row.status();
    if (!*row) return ok_status();
    const std::int64_t step = statement->as_int(0);
    const std::int64_t task = statement->as_int(1);
    const bool repeated =
        !cells.empty() && cells.back().step == step && cells.back().task_id == task;
    if (repeated || std::find(steps.begin(), steps.end(), step) == steps.end()) continue;
    cells.push_back({.step = step,
                     .task_id = task,
                     .time_us = statement->maybe_int(2),
                     .loss = statement->maybe_double(3),
                     .loss_state = maybe_text(*statement, 4)});
  }
}

}  // namespace

Status load_progress(Database& db, ReportModel& model) {
  const MaybeInt wanted = model.verdict.generation;
  TFPM_RETURN_IF_ERROR(for_each_row(
      db, "SELECT generation, frontier, common, step_us, unit FROM step_state ORDER BY generation",
      [&](const Statement& row) {
        // The verdict's generation, else the last one.
        if (wanted && row.as_int(0) != *wanted) return;
        model.progress = Progress{.generation = row.as_int(0),
                                  .frontier = row.maybe_int(1),
                                  .common = row.maybe_int(2),
                                  .step_us = row.maybe_int(3),
                                  .unit = clean_text(row, 4)};
      }));
  if (!model.progress) return ok_status();
  const MaybeInt centre = centre_of(model);
  if (!centre) return ok_status();
  TFPM_RETURN_IF_ERROR(choose_steps(db, model, *centre));
  if (model.window.steps.empty()) return ok_status();
  return load_cells(db, model);
}

}  // namespace tfpm::report
