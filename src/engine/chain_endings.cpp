// How the job ended behind the root: a later fault that stopped it, tasks that wait, who ended
// what was left.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/chain_consequences.h"
#include "store/database.h"

namespace tfpm {
namespace {

// Ended on purpose and from outside: nobody waited for anybody.
bool is_outside_act(const std::string& failure_class) {
  constexpr std::string_view acts[] = {"time-limit", "cancelled", "preempted", "evicted"};
  return std::find(std::begin(acts), std::end(acts), failure_class) != std::end(acts);
}

class Endings {
 public:
  Endings(Database& db, const CaseFile& file, const Hypothesis& root)
      : db_(db), file_(file), root_(root) {
    for (const Cascade& c : file.cascades) victims_.insert(c.worker);
  }

  Result<std::vector<ChainNode>> run() {
    add_stopper();
    if (!is_outside_act(root_.failure_class)) {
      TFPM_RETURN_IF_ERROR(add_waiting_at_start());
      TFPM_RETURN_IF_ERROR(add_waiting());
    }
    const bool ended_by_it =
        root_.failure_class == "time-limit" || root_.failure_class == "cancelled";
    if (!ended_by_it) TFPM_RETURN_IF_ERROR(add_launcher());
    return nodes_;
  }

 private:
  // A fault that follows from nothing above and yet is why the job ended: told as what it is, with
  // its own victims.
  void add_stopper() {
    const Hypothesis* last = final_stopper(file_);
    if (last == nullptr || !root_.step_lo || *last->step_lo <= *root_.step_lo) return;
    ChainNode n;
    if (!last->workers.empty()) n.worker = last->workers.front();
    n.step_lo = last->step_lo;
    n.step_hi = last->step_hi;
    n.edge = "time";
    n.place = ChainNode::kStopper;
    n.what = "what finally stopped the job, on its own account: " + phrases_for(file_, *last).what;
    n.refs = own_refs(file_, *last);
    nodes_.push_back(std::move(n));
    for (ChainNode& victims : victim_nodes(file_, *last, 1)) {
      victims.place = ChainNode::kStopped;
      nodes_.push_back(std::move(victims));
    }
  }

  // Tasks that were alive when the launcher gave up, and are in no other node.
  std::vector<const RunInfo*> waiting_tasks(bool stepped) const {
    std::vector<const RunInfo*> out;
    for (const RunInfo& r : file_.facts.runs) {
      const bool origin =
          std::find(root_.workers.begin(), root_.workers.end(), r.worker) != root_.workers.end();
      if (r.generation != root_.generation || r.ending != "cleaned-up" || origin || !r.trains)
        continue;
      if (victims_.count(r.worker) == 0 && r.last_step.has_value() == stepped) out.push_back(&r);
    }
    return out;
  }

  // Nobody wrote an error: the last step all completed, and who waits in the next one.
  Status add_waiting() {
    const std::vector<const RunInfo*> tasks = waiting_tasks(true);
    const auto steps = file_.facts.steps.find(root_.generation);
    if (tasks.empty() || steps == file_.facts.steps.end() || !steps->second.common)
      return ok_status();
    const std::int64_t common = *steps->second.common;
    ChainNode done;
    done.edge = "collective";
    done.step_lo = done.step_hi = common;
    done.place = ChainNode::kWaiting;
    done.what = fmt::format("step {} is the last that all tasks completed", common);
    TFPM_RETURN_IF_ERROR(append_refs(
        db_,
        fmt::format(
            "SELECT 'marker:' || stream || ':' || seq FROM step_marker WHERE generation = {} "
            "AND step = {} ORDER BY stream LIMIT 4",
            root_.generation, common),
        done.refs));
    ChainNode waiting;
    waiting.edge = "collective";
    waiting.worker = tasks.front()->worker;
    waiting.step_lo = waiting.step_hi = common + 1;
    waiting.place = ChainNode::kWaiting;
    const bool several = tasks.size() > 1;
    waiting.what = fmt::format("{} entered the next step and {} for the others", names_of(tasks),
                               several ? "wait" : "waits");
    TFPM_RETURN_IF_ERROR(append_refs(
        db_,
        "SELECT 'thread:' || min(t.id) FROM stack_thread t JOIN stack k ON k.id = t.stack_id "
        "JOIN worker w ON w.name = k.owner WHERE t.class = 'collective-wait' AND w.id IN (" +
            ids_of(tasks) + ") GROUP BY k.owner ORDER BY min(t.id) LIMIT 4",
        waiting.refs));
    if (waiting.refs.empty()) waiting.refs = done.refs;
    nodes_.push_back(std::move(done));
    nodes_.push_back(std::move(waiting));
    return ok_status();
  }

  Status add_waiting_at_start() {
    const std::vector<const RunInfo*> tasks = waiting_tasks(false);
    if (tasks.empty()) return ok_status();
    ChainNode n;
    n.edge = "explains";
    n.worker = tasks.front()->worker;
    n.place = ChainNode::kWaiting;
    n.what = fmt::format("{} had completed no step when {} stopped", names_of(tasks),
                         tasks.size() > 1 ? "they were" : "it was");
    TFPM_RETURN_IF_ERROR(
        append_refs(db_,
                    fmt::format("SELECT 'event:' || max(id) FROM event WHERE signature_id IN "
                                "('coord-waiting-tasks', 'coord-stragglers') AND generation = {}",
                                root_.generation),
                    n.refs));
    TFPM_RETURN_IF_ERROR(append_refs(
        db_,
        fmt::format("SELECT 'event:' || max(id) FROM event WHERE kind = 'signature' AND role IN "
                    "('progress', 'lifecycle') AND generation = {} AND worker_id IN ({}) GROUP BY "
                    "worker_id ORDER BY worker_id LIMIT 4",
                    root_.generation, ids_of(tasks)),
        n.refs));
    nodes_.push_back(std::move(n));
    return ok_status();
  }

  std::string names_of(const std::vector<const RunInfo*>& tasks) const {
    std::vector<std::string> names;
    for (const RunInfo* r : tasks) names.push_back(r->name);
    return join_names(names);
  }

  static std::string ids_of(const std::vector<const RunInfo*>& tasks) {
    std::string out;
    for (const RunInfo* r : tasks) out += (out.empty() ? "" : ",") + std::to_string(r->worker);
    return out;
  }

  // What the launcher did last, when it ended the job; else the notices that tasks wrote when they
  // were told to go.
  Status add_launcher() {
    ChainNode n;
    n.edge = "process";
    n.place = ChainNode::kLauncher;
    n.spare = 2;
    n.what = "the launcher or scheduler ended what was left: clean-up, not the cause";
    TFPM_RETURN_IF_ERROR(append_refs(db_,
                                     "SELECT 'exit:' || id FROM exit_record WHERE what IN "
                                     "('deadline', 'time-limit', 'cancelled', "
                                     "'terminating') ORDER BY id LIMIT 1",
                                     n.refs));
    if (n.refs.empty() && root_.failure_class != "preempted") {
      n.what = "what was left was told to go: clean-up, not the cause";
      TFPM_RETURN_IF_ERROR(append_refs(
          db_,
          fmt::format("SELECT 'event:' || min(e.id) FROM event e JOIN attempt a ON a.worker_id = "
                      "e.worker_id AND a.n = e.attempt WHERE e.signature_id IN ('sigterm-caught', "
                      "'absl-sigterm') AND a.ending = 'cleaned-up' AND e.generation = {} GROUP BY "
                      "e.worker_id ORDER BY e.worker_id LIMIT 4",
                      root_.generation),
          n.refs));
    }
    if (!n.refs.empty()) nodes_.push_back(std::move(n));
    return ok_status();
  }

  Database& db_;
  const CaseFile& file_;
  const Hypothesis& root_;
  std::set<std::int64_t> victims_;
  std::vector<ChainNode> nodes_;
};

}  // namespace

Result<std::vector<ChainNode>> ending_nodes(Database& db, const CaseFile& file,
                                            const Hypothesis& root) {
  return Endings(db, file, root).run();
}

}  // namespace tfpm
