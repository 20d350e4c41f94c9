// Process incarnations and job generations (algorithms.md section 1.5).
#pragma once

#include <map>
#include <string_view>

#include "align/model.h"

namespace tfpm {

// Cuts every worker's streams into attempts, numbers generations, and joins launcher records to
// attempts.
void split_attempts(Model& model);

// Whose a launcher's records are. Holds a reference to the model, whose workers and streams must
// not change meanwhile.
class ExitOwners {
 public:
  explicit ExitOwners(const Model& m);
  // Index of the worker the record is about: by task name, else by rank (the tag of a stream),
  // else by host where only one task runs there; -1 = nobody's.
  int worker_of(const ExitInfo& e) const;

 private:
  const Model& m_;
  std::map<std::string_view, int> by_tag_;   // the first stream's with that tag
  std::map<std::string_view, int> by_host_;  // -1 = several tasks run there
};

// The attempt of worker `w` that a byte offset of one of its streams belongs to (index into
// attempts), -1 if none.
int attempt_at(const WorkerInfo& w, const StreamInfo& stream, std::int64_t seq);

// Sets AttemptInfo::lost_steps: what the runs before had reached less what the run restored. Needs
// placed steps and restores.
void find_lost_steps(Model& model);

}  // namespace tfpm
