// How a report puts the facts of the model into words; shared by all renderers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/model.h"

namespace tfpm::report {

// The part a task played (Task::role), with the finding behind it where that is not the verdict's:
// "victim of F2".
std::string role_words(const ReportModel& model, const Task& task);
// "worker-1", "worker-1 (2nd process)" for a further process that claims the same name.
std::string display_name(const Task& task);
// How the last attempt ended: "stopped by the launcher (137)", "uncaught exception (1), run 2".
std::string ended(const Task& task);
// How often the job had been restarted when the run of the verdict began; runs of an earlier
// launch, which some logs begin with, do not count.
std::int64_t restarts_before(const ReportModel& model);
// One sentence: what happened.
std::string title(const ReportModel& model);
// "oom-gpu / leak"
std::string class_and_cause(const std::string& failure_class, const MaybeText& cause);
// "established (60 dB, next hypothesis network-unreachable at 5 dB)"
std::string confidence_words(const Verdict& verdict);
// What to do at once, in one or two sentences; empty when there is nothing to do.
std::string now_sentence(const ReportModel& model);
// The checkpoint to resume from: before the first non-finite value where there was one.
const MaybeText& resume_prefix(const Checkpoints& checkpoints);
// Sentence on resuming, e.g. "Resume from `ckpt/ckpt-10` (step 10); 5 steps are lost."; empty when
// no checkpoint is known.
std::string resume_sentence(const ReportModel& model);

// What the root finding advises for tonight, with the sentence on resuming where it belongs: behind
// the first advice, or nowhere when the first two name the checkpoint themselves.
std::vector<std::string> urgent_advice(const ReportModel& model);

// How a chain link follows from those above, for people: "broken connection".
std::string edge_words(const std::string& edge);

// Tasks in the order of a table: culprits, own failures, unclear, victims, bystanders; then as in
// the store.
std::vector<const Task*> tasks_by_role(const ReportModel& model);

}  // namespace tfpm::report
