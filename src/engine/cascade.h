// Who failed because of whom (algorithms.md section 4.7): the cheapest way from a fault to each
// task that suffered from it, over edges that records show.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/job_facts.h"

namespace tfpm {

class Database;
struct CaseFile;

// One task that did not fail by itself.
struct Cascade {
  std::int64_t worker = 0;  // worker.id
  std::string name;
  std::size_t cause = 0;          // index into CaseFile::hypotheses
  int cost = 0;                   // of the way: hard edges 1, firm 2, explained 3
  std::string edge;               // chain.edge of its last part
  bool recorded = false;          // a record says so; else the kinds of both failures do
  bool at_start = false;          // waits for somebody who never connected
  OptInt via;                     // worker.id the last part comes from, when that is no origin
  OptInt step_lo, step_hi;        // where it was
  std::vector<std::string> refs;  // lines that say so, evidence references
};

// Tasks of the verdict's generation that a root or independent fault explains, cheapest way first.
// A fault that ends or stops no process explains nobody's lost connection; a task that a fault
// names as its origin is nobody's victim.
Result<std::vector<Cascade>> find_cascades(Database& db, const CaseFile& file);

// The line that says most in the record of `event` (event.id): the status that was handed on,
// rather than 'Traceback (most recent call last):' or 'Graph execution error:'. An evidence
// reference.
Result<std::string> speaking_line(Database& db, std::int64_t event);

}  // namespace tfpm
