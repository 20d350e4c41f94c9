// Which checkpoint to resume from, and what is lost (algorithms.md section 8.4).
#pragma once

#include <string>

#include "engine/job_facts.h"

namespace tfpm {

struct CheckpointAdvice {
  std::string last_good;             // prefix; empty = none known
  std::string last_good_before_nan;  // only when a NaN onset is known
  OptInt lost_steps, avoidable_lost_steps;
};

// Steps of the generation the verdict is about from which on checkpoints are not to be trusted.
struct BadFrom {
  OptInt nan;       // first non-finite step; absent = no NaN
  OptInt diverged;  // first step at which replicas differ; absent = they do not
};

// Writes the meta rows checkpoint_last_good, checkpoint_last_good_before_nan, checkpoint_lost_steps
// and checkpoint_avoidable_lost_steps.
Result<CheckpointAdvice> advise_checkpoint(Database& db, const JobFacts& facts,
                                           std::int64_t generation, const BadFrom& bad);

}  // namespace tfpm
