// A bundle in memory whose members can be cut or fail at any byte, and a whole analysis of it.
#pragma once

#include <limits>
#include <map>
#include <string>

#include "bundle/bundle.h"
#include "engine/rules.h"
#include "store/database.h"

namespace tfpm::test {

struct Fault {
  std::string path;                                          // member it happens to
  std::size_t at = std::numeric_limits<std::size_t>::max();  // byte
  bool error = false;  // the medium fails there; else the member ends there
};

class FaultBundle : public Bundle {
 public:
  FaultBundle(const std::map<std::string, std::string>& files, Fault fault)
      : files_(files), fault_(std::move(fault)) {}
  std::string name() const override { return "faults"; }
  Status for_each(const Visit& visit, const OnProblem& problem) override;
  BundleProgress progress() const override { return {}; }

 private:
  const std::map<std::string, std::string>& files_;
  Fault fault_;
};

// Two workers, one of which dies of an exception, a launcher, TF_CONFIGs.
std::map<std::string, std::string> small_job();

struct Outcome {
  bool evidence_lost = false;
  std::int64_t problems = 0;  // of severity data-loss or error
  std::string findings_json;  // of diagnose()
};

// Reads, stores and aligns bundle after bundle in one store in memory, which is emptied in between:
// making a store takes longer than reading a small bundle. Requires that nothing fails.
class FaultRunner {
 public:
  FaultRunner();
  Outcome read(Bundle& bundle);
  // Also diagnoses and renders, in a store of its own.
  Outcome diagnose(Bundle& bundle);

 private:
  RuleSet rules_;
  Database db_;
};

}  // namespace tfpm::test
