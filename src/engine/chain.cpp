// The way from the root to everybody else's errors: at most six nodes, each with a line
// (algorithms.md section 4.7).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "engine/case_file.h"
#include "engine/chain_consequences.h"
#include "store/database.h"
#include "store/row_writer.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxNodes = 6;
constexpr std::size_t kMaxRefs = 6;
// More victims than these share a node with those that were reached the same way.
constexpr std::size_t kMaxVictimNodes = 3;

Value opt(const OptInt& v) {
  return v ? Value(*v) : null_value();
}

// Ended on purpose and from outside: nobody waited for anybody.
bool is_outside_act(const std::string& failure_class) {
  constexpr std::string_view acts[] = {"time-limit", "cancelled", "preempted", "evicted"};
  return std::find(std::begin(acts), std::end(acts), failure_class) != std::end(acts);
}

class ChainBuilder {
 public:
  ChainBuilder(Database& db, const CaseFile& file) : db_(db), file_(file) {}

  Result<std::vector<ChainNode>> build() {
    const Hypothesis* root = file_.root();
    if (root == nullptr || file_.choice.status == VerdictStatus::kHealthy) return nodes_;
    add_root(*root);
    Result<std::vector<ChainNode>> more = consequences_of(db_, file_, *root);
    if (!more.ok()) return more.status();
    for (ChainNode& node : *more) {
      if (!is_told(node)) nodes_.push_back(std::move(node));
    }
    add_victims();
    if (!is_outside_act(root->failure_class)) TFPM_RETURN_IF_ERROR(add_waiting(*root));
    TFPM_RETURN_IF_ERROR(add_launcher(*root));
    while (nodes_.size() > kMaxNodes) drop_one();
    std::stable_sort(nodes_.begin() + 1, nodes_.end(),
                     [](const ChainNode& a, const ChainNode& b) { return a.place < b.place; });
    return nodes_;
  }

 private:
  void add_root(const Hypothesis& root) {
    ChainNode n;
    if (!root.workers.empty()) n.worker = root.workers.front();
    n.step_lo = root.step_lo;
    n.step_hi = root.step_hi;
    n.edge = "program-order";
    n.what = phrases_for(file_, root).what;
    for (const Item& item : root.items) {
      const Claim& c = file_.claims[item.claim];
      // The line nobody else wrote tells what the origin was about to do.
      if ((c.failure_class.empty() && c.kind != "odd-line") || item.counted_db <= 0) continue;
      for (const std::string& ref : c.evidence) {
        if (std::find(n.refs.begin(), n.refs.end(), ref) == n.refs.end()) n.refs.push_back(ref);
      }
    }
    nodes_.push_back(std::move(n));
  }

  // The root cites the end of its process already.
  bool is_told(const ChainNode& node) const {
    const std::vector<std::string>& root = nodes_.front().refs;
    return node.place == ChainNode::kExit &&
           std::find(root.begin(), root.end(), node.refs.front()) != root.end();
  }

  std::string name_of(std::int64_t worker) const {
    const auto name = file_.facts.names.find(worker);
    return name == file_.facts.names.end() ? std::string("another task") : name->second;
  }

  // Tasks that suffered from the root: one node each while they are few, else one for all that were
  // reached the same way.
  void add_victims() {
    std::vector<const Cascade*> mine;
    for (const Cascade& c : file_.cascades) {
      if (static_cast<int>(c.cause) == file_.choice.root) mine.push_back(&c);
    }
    using Way = std::tuple<std::string, OptInt, bool, std::size_t>;
    std::vector<std::pair<Way, std::vector<const Cascade*>>> groups;
    for (std::size_t i = 0; i < mine.size(); ++i) {
      const Cascade& c = *mine[i];
      const std::size_t own = mine.size() > kMaxVictimNodes ? 0 : i;
      const Way way(c.edge, c.via, c.at_start, own);
      const auto same =
          std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == way; });
      if (same == groups.end()) {
        groups.push_back({way, {&c}});
      } else {
        same->second.push_back(&c);
      }
    }
    for (const auto& [way, members] : groups) add_group(members);
  }

  void add_group(const std::vector<const Cascade*>& members) {
    const Cascade& first = *members.front();
    ChainNode n;
    n.worker = first.worker;
    n.edge = first.edge;
    n.step_lo = first.step_lo;
    n.step_hi = first.step_hi;
    n.place = ChainNode::kVictims;
    std::vector<std::string> names;
    for (const Cascade* c : members) {
      names.push_back(c->name);
      told_.insert(c->worker);
      // One line of each before second lines of any.
      if (!c->refs.empty()) n.refs.push_back(c->refs.front());
    }
    for (const Cascade* c : members) {
      for (std::size_t i = 1; i < c->refs.size(); ++i) n.refs.push_back(c->refs[i]);
    }
    n.what = members.size() == 1
                 ? victim_words(first, "its connection", "is", "waits")
                 : fmt::format("{}: {}", join_names(names),
                               victim_words(first, "their connections", "are", "wait"));
    nodes_.push_back(std::move(n));
  }

  std::string victim_words(const Cascade& c, const char* connection, const char* is,
                           const char* waits) const {
    const std::string whose =
        c.via ? name_of(*c.via) + ", which had failed already," : "the origin";
    if (c.edge == "rpc") {
      return fmt::format("{} to {} {} closed{}", connection, whose,
                         std::string_view(is) == "is" ? "was" : "were",
                         c.step_lo ? " in the middle of a step" : "");
    }
    if (c.edge == "coordinator" && c.at_start) {
      return fmt::format("{} for {} to connect; no step can begin", waits, whose);
    }
    if (c.edge == "coordinator") {
      return fmt::format("{} told by the coordination service that {} stopped answering", is,
                         whose);
    }
    if (c.edge == "abort-text") {
      return fmt::format("the error of {} aborted the collective", whose);
    }
    return fmt::format(
        "{} and ended in a communication error",
        file_.facts.synchronous ? "could not complete the collective" : "could not go on");
  }

  // Tasks that were alive when the launcher gave up, and are in no other node.
  std::vector<const RunInfo*> waiting_tasks(const Hypothesis& root, bool stepped) const {
    std::vector<const RunInfo*> out;
    for (const RunInfo& r : file_.facts.runs) {
      const bool origin =
          std::find(root.workers.begin(), root.workers.end(), r.worker) != root.workers.end();
      if (r.generation != root.generation || r.ending != "cleaned-up" || origin || !r.trains)
        continue;
      if (told_.count(r.worker) == 0 && r.last_step.has_value() == stepped) out.push_back(&r);
    }
    return out;
  }

  // Nobody wrote an error: the last step all completed, and who waits in the next one.
  Status add_waiting(const Hypothesis& root) {
    TFPM_RETURN_IF_ERROR(add_waiting_at_start(root));
    const std::vector<const RunInfo*> tasks = waiting_tasks(root, true);
    const auto steps = file_.facts.steps.find(root.generation);
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
            root.generation, common),
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

  Status add_waiting_at_start(const Hypothesis& root) {
    const std::vector<const RunInfo*> tasks = waiting_tasks(root, false);
    if (tasks.empty()) return ok_status();
    ChainNode n;
    n.edge = "explains";
    n.worker = tasks.front()->worker;
    n.place = ChainNode::kWaiting;
    n.what = fmt::format("{} had completed no step when {} stopped", names_of(tasks),
                         tasks.size() > 1 ? "they were" : "it was");
    TFPM_RETURN_IF_ERROR(append_refs(
        db_,
        fmt::format("SELECT 'event:' || max(id) FROM event WHERE kind = 'signature' AND role IN "
                    "('progress', 'lifecycle') AND generation = {} AND worker_id IN ({}) GROUP BY "
                    "worker_id ORDER BY worker_id LIMIT 4",
                    root.generation, ids_of(tasks)),
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

  // What the launcher did last, when it ended the job.
  Status add_launcher(const Hypothesis& root) {
    if (root.failure_class == "time-limit" || root.failure_class == "cancelled") return ok_status();
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
    if (!n.refs.empty()) nodes_.push_back(std::move(n));
    return ok_status();
  }

  // The most dispensable node, the last of equals; never the root.
  void drop_one() {
    auto least = nodes_.end() - 1;
    for (auto n = nodes_.end() - 1; n != nodes_.begin(); --n) {
      if (n->spare > least->spare) least = n;
    }
    nodes_.erase(least);
  }

  Database& db_;
  const CaseFile& file_;
  std::vector<ChainNode> nodes_;
  std::set<std::int64_t> told_;  // workers that are in a node
};

Status write_node(RowWriter& rows, EvidenceBook& book, const ChainNode& node, std::int64_t n) {
  const Row row{"chain",
                {{"n", n},
                 {"worker_id", opt(node.worker)},
                 {"step_lo", opt(node.step_lo)},
                 {"step_hi", opt(node.step_hi)},
                 {"edge", node.edge},
                 {"what", node.what}}};
  TFPM_RETURN_IF_ERROR(rows.write(row).status());
  std::set<std::int64_t> cited;
  for (const std::string& ref : node.refs) {
    if (cited.size() == kMaxRefs) break;
    const Result<std::int64_t> id = book.cite(ref, n == 1 ? "cause" : "symptom", 0);
    if (!id.ok()) return id.status();
    if (*id == 0 || !cited.insert(*id).second) continue;
    const auto k = static_cast<std::int64_t>(cited.size()) - 1;
    TFPM_RETURN_IF_ERROR(
        rows.write({"chain_evidence", {{"chain_n", n}, {"n", k}, {"evidence_id", *id}}}).status());
  }
  return ok_status();
}

}  // namespace

Status append_refs(Database& db, const std::string& sql, std::vector<std::string>& refs) {
  Result<Statement> s = db.prepare(sql);
  if (!s.ok()) return s.status();
  for (;;) {
    const Result<bool> row = s->step();
    if (!row.ok()) return row.status();
    if (!*row) return ok_status();
    if (!s->is_null(0)) refs.push_back(s->text(0));
  }
}

Status write_chain(Database& db, const CaseFile& file, EvidenceBook& book) {
  const Result<std::vector<ChainNode>> nodes = ChainBuilder(db, file).build();
  if (!nodes.ok()) return nodes.status();
  RowWriter rows(db);
  std::int64_t n = 0;
  for (const ChainNode& node : *nodes) TFPM_RETURN_IF_ERROR(write_node(rows, book, node, ++n));
  return ok_status();
}

}  // namespace tfpm
