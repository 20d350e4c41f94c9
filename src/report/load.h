// Fills the report model from the store.
#pragma once

#include "base/status.h"
#include "report/model.h"

namespace tfpm {
class Database;
}

namespace tfpm::report {

// kUsage when the store holds no verdict yet (`tfpm diagnose` was not run).
Result<ReportModel> load_model(Database& db);

// The parts, each one topic; called by load_model in this order.
Status load_run(Database& db, ReportModel& model);         // meta
Status load_verdict(Database& db, ReportModel& model);     // verdict
Status load_findings(Database& db, ReportModel& model);    // finding, evidence, chain
Status load_reasoning(Database& db, ReportModel& model);   // hypothesis, claim, rule_run
Status load_tasks(Database& db, ReportModel& model);       // worker, attempt, worker_source
Status load_last_words(Database& db, ReportModel& model);  // stack_thread, event
Status load_checkpoints(Database& db, ReportModel& model);
Status load_gaps(Database& db, ReportModel& model);      // source, problem
Status load_progress(Database& db, ReportModel& model);  // step_state, step_marker
Status load_differences(Database& db, ReportModel& model);

}  // namespace tfpm::report
