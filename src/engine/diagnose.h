// From facts to a verdict: analyses, gates, scores, choice, chain (algorithms.md sections 4-11).
#pragma once

#include "base/finished.h"
#include "base/status.h"

namespace tfpm {

class Database;
struct RuleSet;

// Empties and fills the tables of schema/80_diagnosis.sql. Deterministic: the same rows give the
// same verdict. `finished` hears of each analysis and each pass.
Status diagnose(Database& db, const RuleSet& rules, const Finished& finished = {});

}  // namespace tfpm
