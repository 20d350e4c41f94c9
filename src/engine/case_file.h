// Everything one diagnosis has worked out, on its way into the tables.
#pragma once

#include <string>
#include <vector>

#include "engine/cascade.h"
#include "engine/checkpoints.h"
#include "engine/choice.h"
#include "engine/evidence.h"
#include "engine/wording.h"

namespace tfpm {

struct CaseFile {
  JobFacts facts;
  ClassTable classes;
  std::vector<Claim> claims;
  std::vector<Hypothesis> hypotheses;
  Choice choice;
  CheckpointAdvice checkpoint;
  std::vector<Cascade> cascades;           // who failed because of whom
  std::map<int, std::int64_t> finding_of;  // index of a hypothesis -> finding.id, once written
  std::map<std::string, std::vector<std::string>>
      explains;  // analysis id -> signature ids folded under it

  const Hypothesis* root() const {
    return choice.root < 0 ? nullptr : &hypotheses[static_cast<std::size_t>(choice.root)];
  }
};

// Phrases of one hypothesis; `what` is its strongest claim's sentence.
Phrases phrases_for(const CaseFile& file, const Hypothesis& h);
std::string hypothesis_title(const CaseFile& file, const Hypothesis& h);

// Writes finding, finding_evidence_link and chain rows; evidence goes to the book.
// write_findings also fills `finding_of`.
Status write_findings(Database& db, CaseFile& file, EvidenceBook& book);
Status write_chain(Database& db, const CaseFile& file, EvidenceBook& book);
// Writes who played which part; behind write_findings.
Status write_ledger(Database& db, const CaseFile& file);
// Whether the verdict names the root's tasks: it does not while tied hypotheses point elsewhere.
bool names_workers(const CaseFile& file);
// The independent fault that stopped the job in the end, when it is not the root; nullptr = none.
const Hypothesis* final_stopper(const CaseFile& file);
// Writes the verdict row.
Status write_verdict(Database& db, const CaseFile& file);

}  // namespace tfpm
