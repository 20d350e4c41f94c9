// Claims: evidence with a weight, as analyses return it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/job_facts.h"
#include "engine/rules.h"

namespace tfpm {

class Database;

struct Claim {
  std::int64_t id = 0;
  std::string rule;
  std::string kind;
  std::string failure_class;  // empty: supports any hypothesis about its worker
  std::string cause;
  OptInt worker;  // worker.id
  OptInt generation;
  OptInt step_lo, step_hi;
  std::string group_key;
  std::string confidence_cap;  // empty, 'supported', 'hypothesis'
  double weight_db = 0;
  std::string summary;
  std::vector<std::string> evidence;  // refs, claim_evidence.ref
};

// What came of one analysis.
struct RuleOutcome {
  std::string outcome;  // rule_run.outcome
  std::vector<std::string> missing;
  std::string why;
  std::vector<Claim> claims;
  std::int64_t work = 0;  // instructions of SQLite's machine
};

// Runs one analysis on a connection that allows reading only, with a row cap and a time budget. A
// broken SELECT is an outcome ('failed'), not an error: the other rules still run.
RuleOutcome run_analysis(Database& db, const Analysis& analysis);

}  // namespace tfpm
