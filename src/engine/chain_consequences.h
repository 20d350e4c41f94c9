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
  enum Place { kSpread, kExit, kVictims, kStopper, kStopped, kWaiting, kSave, kRestart, kLauncher };

  OptInt worker, step_lo, step_hi;
  std::string edge, what;
  std::vector<std::string> refs;
  Place place = kSpread;
  int spare = 0;  // what may go first when there are too many: the greater
};

// Whether failures of that class end the process of their task.
bool ends_process(const CaseFile& file, const Hypothesis& h);

// Nodes for: non-finite values that spread to peers and into checkpoints, the end of the origin's
// process, and what checkpoint_links and slow_steps find.
Result<std::vector<ChainNode>> consequences_of(Database& db, const CaseFile& file,
                                               const Hypothesis& root);

// Nodes for: the checkpoint that the run began with where the fault came with it, saves that had
// failed before, a save that the failure interrupted, and the start of the job after it.
Result<std::vector<ChainNode>> checkpoint_links(Database& db, const CaseFile& file,
                                                const Hypothesis& root);

// At most one node: since when the steps of the root's generation take longer. Empty when they
// always took as long, or too few are known.
Result<std::vector<ChainNode>> slow_steps(Database& db, const CaseFile& file,
                                          const Hypothesis& root);

// Appends the lines that say that these checkpoints were saved, for the references among
// `checkpoints` that are about one ("checkpoint:3", "tensor:3#name"), while there are fewer than
// `most`.
Status append_saved_lines(Database& db, const std::vector<std::string>& checkpoints,
                          std::size_t most, std::vector<std::string>& refs);

// Nodes for the tasks that suffered from `cause`: one each while they are at most `most`, else
// those together that were reached the same way, at last all.
std::vector<ChainNode> victim_nodes(const CaseFile& file, const Hypothesis& cause,
                                    std::size_t most);

// Nodes for: an independent fault that stopped the job later, tasks that wait, and who ended them.
Result<std::vector<ChainNode>> ending_nodes(Database& db, const CaseFile& file,
                                            const Hypothesis& root);

// References of what a hypothesis stands on: the first of each item, the strongest item first,
// then the second of each.
std::vector<std::string> own_refs(const CaseFile& file, const Hypothesis& h);

// Appends the first column of a query; NULLs are left out.
Status append_refs(Database& db, const std::string& sql, std::vector<std::string>& refs);

}  // namespace tfpm
