// Loads what scoring and choice need of the job as a whole.
#include "engine/job_facts.h"

#include "store/database.h"

namespace tfpm {
namespace {

Status load_runs(Database& db, JobFacts& facts) {
  Result<Statement> s = db.prepare(
      "SELECT worker_id, name, type, ending, generation, last_step, exit_code, has_log, leader, "
      "trains, terminal_event_id, host FROM run ORDER BY worker_id, attempt");
  if (!s.ok()) return s.status();
  while (true) {
    const Result<bool> row = s->step();
    if (!row.ok()) return row.status();
    if (!*row) break;
    RunInfo r;
    r.worker = s->as_int(0);
    r.name = s->text(1);
    r.type = s->text(2);
    r.ending = s->text(3);
    r.generation = s->as_int(4);
    r.last_step = s->maybe_int(5);
    r.exit_code = s->maybe_int(6);
    r.has_log = s->as_int(7) != 0;
    r.leader = s->as_int(8) != 0;
    r.trains = s->as_int(9) != 0;
    r.terminal_event = s->maybe_int(10);
    facts.names[r.worker] = r.name;
    if (!s->is_null(11)) facts.hosts[r.worker] = s->text(11);
    facts.runs.push_back(std::move(r));
  }
  return ok_status();
}

Status load_steps(Database& db, JobFacts& facts) {
  Result<Statement> s = db.prepare(
      "SELECT generation, frontier, common, granularity, synchronous, unit FROM step_state ORDER "
      "BY generation");
  if (!s.ok()) return s.status();
  while (true) {
    const Result<bool> row = s->step();
    if (!row.ok()) return row.status();
    if (!*row) break;
    StepInfo& step = facts.steps[s->as_int(0)];
    step.frontier = s->maybe_int(1);
    step.common = s->maybe_int(2);
    step.granularity = s->as_int(3);
    facts.synchronous = s->as_int(4) != 0;
    facts.steps_numbered = s->as_text(5) == "step";
    facts.last_generation = s->as_int(0);
  }
  const auto unsure =
      db.query_int("SELECT count(*) FROM marker_template WHERE chosen = 1 AND edge = 'unknown'");
  if (!unsure.ok()) return unsure.status();
  facts.edge_unknown = unsure->value_or(0) > 0;
  return ok_status();
}

}  // namespace

const RunInfo* JobFacts::run(std::int64_t worker, std::int64_t generation) const {
  const RunInfo* found = nullptr;
  for (const RunInfo& r : runs) {
    if (r.worker == worker && r.generation == generation) found = &r;
  }
  return found;
}

Result<JobFacts> load_job_facts(Database& db) {
  JobFacts facts;
  TFPM_RETURN_IF_ERROR(load_runs(db, facts));
  TFPM_RETURN_IF_ERROR(load_steps(db, facts));
  return facts;
}

}  // namespace tfpm
