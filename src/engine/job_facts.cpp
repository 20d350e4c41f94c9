// Loads what scoring and choice need of the job as a whole.
#include "engine/job_facts.h"

#include <algorithm>

#include "store/database.h"

namespace tfpm {
namespace {

Status load_runs(Database& db, JobFacts& facts) {
  Result<Statement> s = db.prepare(
      "SELECT worker_id, name, type, ending, generation, last_step, exit_code, has_log, leader, "
      "trains, terminal_event_id, host, attempt < 0, ending = 'silent' AND EXISTS (SELECT 1 "
      "FROM event e WHERE e.worker_id = r.worker_id AND e.attempt = r.attempt AND e.kind IN "
      "('error', 'traceback') AND e.outcome = 'unresolved') FROM run r ORDER BY worker_id, "
      "attempt");
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
    r.older_launch = s->as_int(12) != 0;
    if (!s->is_null(11)) facts.hosts[r.worker] = s->text(11);
    r.error_at_end = s->as_int(13) != 0;
    facts.runs.push_back(std::move(r));
  }
  return ok_status();
}

Status load_steps(Database& db, JobFacts& facts) {
  Result<Statement> s = db.prepare(
      "SELECT generation, frontier, common, granularity, synchronous, unit, frontier IS NOT NULL "
      "OR "
      "EXISTS (SELECT 1 FROM event_file f WHERE f.generation = g.generation AND f.last_step > 0) "
      "FROM step_state g ORDER BY generation");
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
    step.stepped = s->as_int(6) != 0;
    facts.last_generation = s->as_int(0);
  }
  const auto unsure =
      db.query_int("SELECT count(*) FROM marker_template WHERE chosen = 1 AND edge = 'unknown'");
  if (!unsure.ok()) return unsure.status();
  facts.edge_unknown = unsure->value_or(0) > 0;
  return ok_status();
}

// Evidence that existed, or that this kind of job leaves: losses of tasks that stepped, the
// checkpoints that a log says were saved, and the profiles that alone tell what all tasks wait for
// (step times are equal on all, whatever makes them long: algorithms.md sections 7.1 and 10).
Status load_unseen(Database& db, JobFacts& facts) {
  struct Question {
    const char* what;
    const char* collect;
    const char* sql;
  };
  constexpr Question kQuestions[] = {
      {"losses", "the loss of each step, printed or in event files",
       "SELECT EXISTS (SELECT 1 FROM step_marker) AND NOT EXISTS (SELECT 1 FROM step_marker WHERE "
       "loss_state IS NOT NULL) AND NOT EXISTS (SELECT 1 FROM metric WHERE tag LIKE '%loss%')"},
      {"the checkpoints that were saved", "the checkpoints that the logs say were saved",
       "SELECT EXISTS (SELECT 1 FROM event WHERE signature_id = 'ckpt-saved') AND NOT EXISTS "
       "(SELECT 1 FROM checkpoint)"},
      {"what the steps' time is spent on",
       "a profile of all tasks over the same steps, if the job should have been faster",
       "SELECT (SELECT count(*) FROM profile_task WHERE input_us IS NOT NULL) < max(1, (SELECT "
       "count(*) FROM trainer))"}};
  for (const Question& q : kQuestions) {
    const auto missing = db.query_int(q.sql);
    if (!missing.ok()) return missing.status();
    if (missing->value_or(0) != 0) facts.unseen.push_back({q.what, q.collect});
  }
  return ok_status();
}

Status load_untagged(Database& db, JobFacts& facts) {
  Result<Statement> s = db.prepare(
      "SELECT DISTINCT s.path FROM unowned_steps u JOIN stream t ON t.id = u.stream JOIN source s "
      "ON s.id = t.source_id ORDER BY s.path LIMIT 3");
  if (!s.ok()) return s.status();
  while (true) {
    const Result<bool> row = s->step();
    if (!row.ok()) return row.status();
    if (!*row) return ok_status();
    facts.untagged.push_back(s->text(0));
  }
}

}  // namespace

std::span<const RunInfo> JobFacts::runs_of(std::int64_t worker) const {
  const auto first =
      std::lower_bound(runs.begin(), runs.end(), worker,
                       [](const RunInfo& r, std::int64_t id) { return r.worker < id; });
  const auto last =
      std::find_if(first, runs.end(), [&](const RunInfo& r) { return r.worker != worker; });
  return {first, last};
}

bool JobFacts::older_launch(std::int64_t generation) const {
  return std::any_of(runs.begin(), runs.end(), [&](const RunInfo& r) {
    return r.generation == generation && r.older_launch;
  });
}

std::int64_t JobFacts::restarts_before(std::int64_t generation) const {
  std::int64_t count = 0;
  for (std::int64_t g = 0; g < generation; ++g) {
    if (!older_launch(g)) ++count;
  }
  return count;
}

const RunInfo* JobFacts::run(std::int64_t worker, std::int64_t generation) const {
  const RunInfo* found = nullptr;
  for (const RunInfo& r : runs_of(worker)) {
    if (r.generation == generation) found = &r;
  }
  return found;
}

Result<JobFacts> load_job_facts(Database& db) {
  JobFacts facts;
  TFPM_RETURN_IF_ERROR(load_runs(db, facts));
  TFPM_RETURN_IF_ERROR(load_steps(db, facts));
  TFPM_RETURN_IF_ERROR(load_unseen(db, facts));
  TFPM_RETURN_IF_ERROR(load_untagged(db, facts));
  return facts;
}

}  // namespace tfpm
