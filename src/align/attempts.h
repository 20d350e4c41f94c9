// Process incarnations and job generations (algorithms.md section 1.5).
#pragma once

#include "align/model.h"

namespace tfpm {

// Cuts every worker's streams into attempts, numbers generations, and joins launcher records to
// attempts.
void split_attempts(Model& model);

// The attempt of worker `w` that a byte offset of one of its streams belongs to (index into
// attempts), -1 if none.
int attempt_at(const WorkerInfo& w, const StreamInfo& stream, std::int64_t seq);

}  // namespace tfpm
