// Facts about the job as a whole that scoring, choice and wording need.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"

namespace tfpm {

class Database;

using OptInt = std::optional<std::int64_t>;

// One process run as the engine needs it (table attempt joined with worker).
struct RunInfo {
  std::int64_t worker = 0;
  std::string name;
  std::string type;
  std::string ending;
  std::int64_t generation = 0;
  bool older_launch = false;  // no launcher recorded it: a run that stood in the log before
  OptInt last_step;
  OptInt exit_code;
  bool has_log = false;
  bool leader = false;
  bool trains = true;
  OptInt terminal_event;
  bool error_at_end = false;  // an error stands behind its last step that nothing else accounts for
};

struct StepInfo {
  OptInt frontier, common;
  std::int64_t granularity = 1;
  bool stepped = false;  // there are markers, or event files with values of a step
};

// Evidence that would show a fault of some kind and is known to be missing.
struct Unseen {
  std::string what;     // what cannot be judged without it, as a phrase
  std::string collect;  // what to collect
};

// Facts the scoring needs of the job as a whole.
struct JobFacts {
  std::vector<RunInfo> runs;                  // ordered by worker, attempt
  std::map<std::int64_t, StepInfo> steps;     // by generation
  std::map<std::int64_t, std::string> names;  // worker.id -> name
  std::map<std::int64_t, std::string> hosts;  // worker.id -> host, where known
  std::int64_t last_generation = 0;
  bool synchronous = true;
  bool steps_numbered = true;  // false: markers count samples or the like; verdict steps are null
  std::vector<Unseen> unseen;  // a job cannot be established as healthy while there is any
  std::vector<std::string>
      untagged;               // paths of files that hold steps of tasks nothing names, a few
  bool edge_unknown = false;  // markers may stand before the update: one step lower is possible

  // The runs of one worker; empty when it has none.
  std::span<const RunInfo> runs_of(std::int64_t worker) const;
  // Was that generation of a launch before the launcher's own? It is told of, and explains nothing.
  bool older_launch(std::int64_t generation) const;
  // How often the launch had been restarted when that generation began.
  std::int64_t restarts_before(std::int64_t generation) const;
  // Its last run in that generation; nullptr when it has none.
  const RunInfo* run(std::int64_t worker, std::int64_t generation) const;
};

Result<JobFacts> load_job_facts(Database& db);

}  // namespace tfpm
