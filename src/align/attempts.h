// Process incarnations and job generations (algorithms.md section 1.5).
#pragma once

#include "align/model.h"

namespace tfpm {

// Finds restarts in streams whose headers show no process ids: where the step counter goes back by
// more than one marker period (epochs are unrolled before). Needs markers; call before
// split_attempts.
void find_restarts_by_step(Model& model);

// Cuts every worker's streams into attempts, numbers generations, and joins launcher records to
// attempts.
void split_attempts(Model& model);

// Index of the worker a launcher's record is about: by task name, else by rank (the tag of a
// stream), else by host where only one task runs there; -1 = nobody's.
int worker_of_exit(const Model& m, const ExitInfo& e);

// The attempt of worker `w` that a byte offset of one of its streams belongs to (index into
// attempts), -1 if none.
int attempt_at(const WorkerInfo& w, const StreamInfo& stream, std::int64_t seq);

// Sets AttemptInfo::lost_steps: what the runs before had reached less what the run restored. Needs
// placed steps and restores.
void find_lost_steps(Model& model);

}  // namespace tfpm
