// The way from the root to everybody else's errors: at most six nodes, each with a line
// (algorithms.md section 4.7).
#include <fmt/format.h>

#include <algorithm>

#include "engine/case_file.h"
#include "store/database.h"
#include "store/row_writer.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxNodes = 6;

struct Node {
  OptInt worker, step_lo, step_hi;
  std::string edge, what;
  std::vector<std::string> refs;
};

Value opt(const OptInt& v) {
  return v ? Value(*v) : null_value();
}

class ChainBuilder {
 public:
  ChainBuilder(Database& db, const CaseFile& file) : db_(db), file_(file) {}

  Result<std::vector<Node>> build() {
    const Hypothesis* root = file_.root();
    if (root == nullptr || file_.choice.status == VerdictStatus::kHealthy) return nodes_;
    add_root(*root);
    TFPM_RETURN_IF_ERROR(add_victims(*root));
    TFPM_RETURN_IF_ERROR(add_waiting(*root));
    TFPM_RETURN_IF_ERROR(add_launcher());
    if (nodes_.size() > kMaxNodes) nodes_.resize(kMaxNodes);
    return nodes_;
  }

 private:
  void add_root(const Hypothesis& root) {
    Node n;
    if (!root.workers.empty()) n.worker = root.workers.front();
    n.step_lo = root.step_lo;
    n.step_hi = root.step_hi;
    n.edge = "program-order";
    n.what = phrases_for(file_, root).what;
    for (const Item& item : root.items) {
      const Claim& c = file_.claims[item.claim];
      // The line nobody else wrote tells what the origin was about to do.
      if ((c.failure_class.empty() && c.kind != "odd-line") || item.counted_db <= 0) continue;
      n.refs.insert(n.refs.end(), c.evidence.begin(), c.evidence.end());
    }
    nodes_.push_back(std::move(n));
  }

  // Victims that a transport error ties to the root first, then those that the leader's statement
  // reached.
  Status add_victims(const Hypothesis& root) {
    Result<Statement> s = db_.prepare(
        "SELECT a.kind, e.worker_id, e.step_lo, e.step_hi, e.id FROM accusation a JOIN event e ON "
        "e.id = a.event_id WHERE a.generation = ?1 AND a.accused_worker_id = ?2 AND e.worker_id <> "
        "?2 ORDER BY CASE a.kind WHEN 'transport-witness' THEN 0 ELSE 1 END, e.worker_id, e.id");
    if (!s.ok()) return s.status();
    for (const std::int64_t w : root.workers) {
      s->bind(1, root.generation).bind(2, w);
      while (nodes_.size() + 2 < kMaxNodes) {
        const Result<bool> row = s->step();
        if (!row.ok()) return row.status();
        if (!*row) break;
        Node n;
        const bool transport = s->as_text(0) == "transport-witness";
        n.worker = s->maybe_int(1);
        n.step_lo = s->maybe_int(2);
        n.step_hi = s->maybe_int(3);
        n.edge = transport ? "rpc" : "coordinator";
        n.what = transport ? "its connection to the origin was closed in the middle of a step"
                 : s->as_text(0) == "connect-wait"
                     ? "waits for the origin to connect; no step can begin"
                     : "is told by the coordination service that the origin stopped answering";
        n.refs.push_back(fmt::format("event:{}", s->as_int(4)));
        if (n.worker) told_.push_back(*n.worker);
        nodes_.push_back(std::move(n));
      }
      s->reset();
    }
    add_other_victims(root);
    return ok_status();
  }

  void add_other_victims(const Hypothesis& root) {
    Node n;
    n.edge = "collective";
    std::vector<std::string> names;
    for (const RunInfo& r : file_.facts.runs) {
      if (r.generation != root.generation || r.ending != "victim") continue;
      const auto known = [&](const std::vector<std::int64_t>& list) {
        return std::find(list.begin(), list.end(), r.worker) != list.end();
      };
      if (known(told_) || known(root.workers)) continue;
      names.push_back(r.name);
      if (r.terminal_event && n.refs.size() < 4) {
        n.refs.push_back(fmt::format("event:{}", *r.terminal_event));
      }
      if (!n.worker) n.worker = r.worker;
    }
    if (names.empty()) return;
    n.what = fmt::format("{} could not complete the collective and ended in a communication error",
                         join_names(names));
    nodes_.push_back(std::move(n));
  }

  // Nobody wrote an error: the last step all completed, and who waits in the next one.
  Status add_waiting(const Hypothesis& root) {
    std::vector<std::string> names;
    OptInt first;
    for (const RunInfo& r : file_.facts.runs) {
      const bool origin =
          std::find(root.workers.begin(), root.workers.end(), r.worker) != root.workers.end();
      if (r.generation != root.generation || r.ending != "cleaned-up" || origin || !r.trains)
        continue;
      names.push_back(r.name);
      if (!first) first = r.worker;
    }
    const auto steps = file_.facts.steps.find(root.generation);
    if (names.empty() || steps == file_.facts.steps.end() || !steps->second.common)
      return ok_status();
    const std::int64_t common = *steps->second.common;
    Node done;
    done.edge = "collective";
    done.step_lo = done.step_hi = common;
    done.what = fmt::format("step {} is the last that all tasks completed", common);
    TFPM_RETURN_IF_ERROR(collect(
        fmt::format(
            "SELECT 'marker:' || stream || ':' || seq FROM step_marker WHERE generation = {} "
            "AND step = {} ORDER BY stream LIMIT 4",
            root.generation, common),
        done.refs));
    nodes_.push_back(std::move(done));
    Node waiting;
    waiting.edge = "collective";
    waiting.worker = first;
    waiting.step_lo = waiting.step_hi = common + 1;
    waiting.what =
        fmt::format("{} entered the next step and wait for the others", join_names(names));
    TFPM_RETURN_IF_ERROR(collect(
        "SELECT 'thread:' || min(t.id) FROM stack_thread t JOIN stack k ON k.id = t.stack_id "
        "WHERE t.class = 'collective-wait' AND k.owner IN (" +
            quoted(names) + ") GROUP BY k.owner ORDER BY 1 LIMIT 4",
        waiting.refs));
    nodes_.push_back(std::move(waiting));
    return ok_status();
  }

  // Task names as an SQL list.
  static std::string quoted(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names) {
      std::string text = name;
      for (std::size_t i = text.find('\''); i != std::string::npos; i = text.find('\'', i + 2)) {
        text.insert(i, 1, '\'');
      }
      out += (out.empty() ? "'" : ",'") + text + "'";
    }
    return out;
  }

  Status collect(const std::string& sql, std::vector<std::string>& refs) {
    Result<Statement> s = db_.prepare(sql);
    if (!s.ok()) return s.status();
    while (true) {
      const Result<bool> row = s->step();
      if (!row.ok()) return row.status();
      if (!*row) return ok_status();
      refs.push_back(s->text(0));
    }
  }

  // What the launcher did last, when it ended the job.

  Status add_launcher() {
    const auto last = db_.query_int(
        "SELECT id FROM exit_record WHERE what IN ('deadline', 'time-limit', 'cancelled', "
        "'terminating') ORDER BY id LIMIT 1");
    if (!last.ok()) return last.status();
    if (!last->has_value()) return ok_status();
    Node n;
    n.edge = "process";
    n.what = "the launcher or scheduler ended what was left: clean-up, not the cause";
    n.refs.push_back(fmt::format("exit:{}", **last));
    const Hypothesis* root = file_.root();
    if (root->failure_class == "time-limit" || root->failure_class == "cancelled")
      return ok_status();
    nodes_.push_back(std::move(n));
    return ok_status();
  }

  Database& db_;
  const CaseFile& file_;
  std::vector<Node> nodes_;
  std::vector<std::int64_t> told_;
};

}  // namespace

Status write_chain(Database& db, const CaseFile& file, EvidenceBook& book) {
  const Result<std::vector<Node>> nodes = ChainBuilder(db, file).build();
  if (!nodes.ok()) return nodes.status();
  RowWriter rows(db);
  std::int64_t n = 0;
  for (const Node& node : *nodes) {
    ++n;
    TFPM_RETURN_IF_ERROR(rows.write({"chain",
                                     {{"n", n},
                                      {"worker_id", opt(node.worker)},
                                      {"step_lo", opt(node.step_lo)},
                                      {"step_hi", opt(node.step_hi)},
                                      {"edge", node.edge},
                                      {"what", node.what}}})
                             .status());
    std::int64_t k = 0;
    for (const std::string& ref : node.refs) {
      if (k == 6) break;
      const Result<std::int64_t> id = book.cite(ref, n == 1 ? "cause" : "symptom", 0);
      if (!id.ok()) return id.status();
      if (*id == 0) continue;
      TFPM_RETURN_IF_ERROR(
          rows.write({"chain_evidence", {{"chain_n", n}, {"n", k++}, {"evidence_id", *id}}})
              .status());
    }
  }
  return ok_status();
}

}  // namespace tfpm
