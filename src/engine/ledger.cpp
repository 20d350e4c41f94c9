// Who played which part: culprit, victim, bystander.
#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "engine/case_file.h"
#include "store/database.h"
#include "store/row_writer.h"

namespace tfpm {
namespace {

struct Part {
  std::string role = "unclear";
  int cause = -1;  // index of the hypothesis behind it
  const Cascade* cascade = nullptr;
};

bool is_any(const std::string& word, std::initializer_list<std::string_view> set) {
  return std::find(set.begin(), set.end(), word) != set.end();
}

// What is known of each worker, gathered once.
class Parts {
 public:
  explicit Parts(const CaseFile& file) : file_(file) {
    for (std::size_t i = 0; i < file.hypotheses.size(); ++i) {
      if (!is_own_failure(file.hypotheses[i])) continue;
      for (const std::int64_t w : file.hypotheses[i].workers) {
        failures_.emplace(w, static_cast<int>(i));
      }
    }
    for (const Cascade& c : file.cascades) cascades_.emplace(c.worker, &c);
    if (names_workers(file))
      named_.insert(file.root()->workers.begin(), file.root()->workers.end());
  }

  Part part_of(const RunInfo& run) const {
    Part part;
    if (named_.count(run.worker) != 0) {
      part.role = file_.choice.confidence == "hypothesis" ? "suspect" : "culprit";
      part.cause = file_.choice.root;
      return part;
    }
    if (file_.choice.status == VerdictStatus::kHealthy) {
      part.role = "fine";
      return part;
    }
    if (const auto failure = failures_.find(run.worker); failure != failures_.end()) {
      part.role = "own failure";
      part.cause = failure->second;
      return part;
    }
    if (const auto cascade = cascades_.find(run.worker); cascade != cascades_.end()) {
      part.role = "victim";
      part.cause = static_cast<int>(cascade->second->cause);
      part.cascade = cascade->second;
      return part;
    }
    if (is_any(run.ending, {"victim", "waiting", "cleaned-up"})) part.role = "victim";
    if (is_any(run.ending, {"finished", "excused", "alone"})) part.role = "bystander";
    return part;
  }

 private:
  // A fault that is no consequence: another finding that says error and names its tasks.
  bool is_own_failure(const Hypothesis& h) const {
    const auto info = file_.classes.find(h.failure_class);
    const bool severe = info != file_.classes.end() &&
                        is_any(info->second.texts_for(h.cause).severity, {"critical", "error"});
    return h.role == "independent" && severe && h.score_db > 0;
  }

  const CaseFile& file_;
  std::set<std::int64_t> named_;                     // by the verdict
  std::map<std::int64_t, int> failures_;             // worker -> its first own failure
  std::map<std::int64_t, const Cascade*> cascades_;  // worker -> how it was reached, the first
};

}  // namespace

Status write_ledger(Database& db, const CaseFile& file) {
  RowWriter rows(db);
  const Parts parts(file);
  for (const auto& [worker, name] : file.facts.names) {
    // A task that did not run in that generation has its last run judged.
    const RunInfo* run = file.facts.run(worker, file.choice.generation);
    const std::span<const RunInfo> runs = file.facts.runs_of(worker);
    if (run == nullptr && !runs.empty()) run = &runs.front();
    if (run == nullptr) continue;
    const Part part = parts.part_of(*run);
    const auto finding = file.finding_of.find(part.cause);
    const bool known = part.cause >= 0 && finding != file.finding_of.end();
    const bool via = part.cascade != nullptr && part.cascade->via.has_value();
    const Row row{"ledger",
                  {{"worker_id", worker},
                   {"role", part.role},
                   {"finding_id", known ? Value(finding->second) : null_value()},
                   {"edge", part.cascade == nullptr ? null_value() : Value(part.cascade->edge)},
                   {"via_worker_id", via ? Value(*part.cascade->via) : null_value()}}};
    TFPM_RETURN_IF_ERROR(rows.write(row).status());
  }
  return ok_status();
}

}  // namespace tfpm
