// What a failure did besides bringing down its peers: rule templates of class E4 with their
// conditions (algorithms.md sections 3.1 and 4.7).
#pragma once

#include <string>
#include <vector>

#include "engine/case_file.h"

namespace tfpm {

// One row of the chain on its way.
struct ChainNode {
  // Where it stands among the nodes behind the root.
  enum Place { kSpread, kExit, kVictims, kWaiting, kSave, kRestart, kLauncher };

  OptInt worker, step_lo, step_hi;
  std::string edge, what;
  std::vector<std::string> refs;
  Place place = kSpread;
  int spare = 0;  // what may go first when there are too many: the greater
};

// Nodes for: non-finite values that spread to peers and into checkpoints, the end of the origin's
// process, a save that it interrupted, and the start of the job after it.
Result<std::vector<ChainNode>> consequences_of(Database& db, const CaseFile& file,
                                               const Hypothesis& root);

// Appends the first column of a query; NULLs are left out.
Status append_refs(Database& db, const std::string& sql, std::vector<std::string>& refs);

}  // namespace tfpm
