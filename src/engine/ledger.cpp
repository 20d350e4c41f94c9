// Who played which part: culprit, victim, bystander.
#include <algorithm>

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

bool names(const Hypothesis& h, std::int64_t worker) {
  return std::find(h.workers.begin(), h.workers.end(), worker) != h.workers.end();
}

// A fault of its own that is no consequence: another finding that says error and names the task.
int own_failure(const CaseFile& file, std::int64_t worker) {
  for (std::size_t i = 0; i < file.hypotheses.size(); ++i) {
    const Hypothesis& h = file.hypotheses[i];
    const auto info = file.classes.find(h.failure_class);
    const bool severe =
        info != file.classes.end() && is_any(info->second.severity, {"critical", "error"});
    if (h.role == "independent" && severe && h.score_db > 0 && names(h, worker)) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

Part part_of(const CaseFile& file, const RunInfo& run) {
  Part part;
  const Hypothesis* root = file.root();
  const bool healthy = file.choice.status == VerdictStatus::kHealthy;
  if (names_workers(file) && names(*root, run.worker)) {
    part.role = file.choice.confidence == "hypothesis" ? "suspect" : "culprit";
    part.cause = file.choice.root;
    return part;
  }
  if (healthy) {
    part.role = "fine";
    return part;
  }
  part.cause = own_failure(file, run.worker);
  if (part.cause >= 0) {
    part.role = "own failure";
    return part;
  }
  for (const Cascade& c : file.cascades) {
    if (c.worker != run.worker) continue;
    part.role = "victim";
    part.cause = static_cast<int>(c.cause);
    part.cascade = &c;
    return part;
  }
  if (is_any(run.ending, {"victim", "waiting", "cleaned-up"})) part.role = "victim";
  if (is_any(run.ending, {"finished", "excused", "alone"})) part.role = "bystander";
  return part;
}

}  // namespace

Status write_ledger(Database& db, const CaseFile& file) {
  RowWriter rows(db);
  for (const auto& [worker, name] : file.facts.names) {
    // A task that did not run in that generation has its last run judged.
    const RunInfo* run = file.facts.run(worker, file.choice.generation);
    for (const RunInfo& r : file.facts.runs) {
      if (run == nullptr && r.worker == worker) run = &r;
    }
    if (run == nullptr) continue;
    const Part part = part_of(file, *run);
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
