#include "engine/cascade.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <tuple>

#include "engine/case_file.h"
#include "store/database.h"

namespace tfpm {
namespace {

// Cost of an edge in the search, algorithms.md section 4.7.
constexpr int kHard = 1, kFirm = 2, kExplained = 3;
// Lines that are cited for one task.
constexpr std::size_t kMaxRefs = 2;

struct Edge {
  std::int64_t to = 0;  // worker.id
  int cost = 0;
  std::string edge;
  std::int64_t event = 0;  // that shows it
  bool at_start = false;
};

// How a task was reached.
struct Reached {
  int cost = 0;
  std::int64_t from = 0;
  const Edge* edge = nullptr;
};

class CascadeFinder {
 public:
  CascadeFinder(Database& db, const CaseFile& file)
      : db_(db), file_(file), generation_(file.choice.generation) {}

  Result<std::vector<Cascade>> run() {
    choose_causes();
    if (causes_.empty()) return std::vector<Cascade>{};
    TFPM_RETURN_IF_ERROR(load_edges());
    for (const std::size_t cause : causes_) search(cause);
    for (const std::size_t cause : causes_) explain(cause);
    TFPM_RETURN_IF_ERROR(collect());
    std::stable_sort(out_.begin(), out_.end(), [](const Cascade& a, const Cascade& b) {
      return std::tuple(a.cost, first_hand(a), a.worker) <
             std::tuple(b.cost, first_hand(b), b.worker);
    });
    return out_;
  }

 private:
  // Whoever saw a connection close comes before those whom the leader told.
  static int first_hand(const Cascade& c) { return c.edge == "coordinator" ? 1 : 0; }

  const Hypothesis& at(std::size_t i) const { return file_.hypotheses[i]; }

  // Its process went away, stopped answering, or fell to what it describes.
  bool stops_somebody(const Hypothesis& h) const {
    const auto info = file_.classes.find(h.failure_class);
    if (info != file_.classes.end() && info->second.ends_process) return true;
    return std::any_of(h.workers.begin(), h.workers.end(), [&](std::int64_t w) {
      const RunInfo* run = file_.facts.run(w, generation_);
      return run != nullptr && (run->ending == "crashed" || run->ending == "silent");
    });
  }

  bool slows(const Hypothesis& h) const {
    const auto info = file_.classes.find(h.failure_class);
    return info != file_.classes.end() && info->second.stage == ClassStage::kRemains;
  }

  // Those of its tasks that it did not reach by way of another: they did not end as victims.
  std::vector<std::int64_t> origins_of(const Hypothesis& h) const {
    std::vector<std::int64_t> out;
    for (const std::int64_t w : h.workers) {
      const RunInfo* run = file_.facts.run(w, generation_);
      if (run == nullptr || run->ending != "victim") out.push_back(w);
    }
    return out.empty() ? h.workers : out;
  }

  void add_cause(std::size_t i) {
    const std::vector<std::int64_t> origins = origins_of(at(i));
    origins_.insert(origins.begin(), origins.end());
    causes_.push_back(i);
  }

  bool at_fault(std::int64_t worker) const { return at_fault_.count(worker) != 0; }

  void choose_causes() {
    const int root = file_.choice.root;
    for (const Hypothesis& h : file_.hypotheses) {
      const bool stands = h.role == "root" || h.role == "independent" || h.role == "contributing";
      if (h.generation != generation_ || !stands) continue;
      at_fault_.insert(h.workers.begin(), h.workers.end());
    }
    for (std::size_t i = 0; i < file_.hypotheses.size(); ++i) {
      const Hypothesis& h = at(i);
      const bool is_root = static_cast<int>(i) == root;
      if (h.generation != generation_ || h.remains) continue;
      if (!is_root && h.role != "independent") continue;
      if (!stops_somebody(h)) continue;
      add_cause(i);
    }
    // Values that are not finite close no connection, and what was found in checkpoints afterwards
    // neither; whoever is too slow may be given up.
    const bool alone = causes_.empty() && root >= 0 && file_.root()->failure_class != "nan" &&
                       (!file_.root()->remains || slows(*file_.root()));
    if (alone) add_cause(static_cast<std::size_t>(root));
    std::stable_partition(causes_.begin(), causes_.end(),
                          [&](std::size_t i) { return static_cast<int>(i) == root; });
    if (causes_.size() > kMaxCauses) causes_.resize(kMaxCauses);
  }

  Status load_edges() {
    Result<Statement> s = db_.prepare(
        "SELECT f.worker_id, t.worker_id, o.class = 'E1', o.edge, t.id, 0 FROM order_edge o JOIN "
        "event f ON f.id = o.from_id JOIN event t ON t.id = o.to_id WHERE o.from_kind = 'event' "
        "AND "
        "o.to_kind = 'event' AND o.removed = 0 AND t.generation = ?1 AND f.worker_id <> "
        "t.worker_id "
        "AND o.edge IN ('rpc', 'coordinator', 'abort-text') "
        "UNION ALL SELECT a.accused_worker_id, e.worker_id, 0, CASE WHEN a.kind IN "
        "('transport-witness', 'no-answer', 'health-check', 'leader-rpc') THEN 'rpc' ELSE "
        "'coordinator' END, "
        "e.id, a.kind = 'connect-wait' FROM accusation a JOIN event e ON e.id = a.event_id "
        "WHERE a.generation = ?1 AND e.worker_id <> a.accused_worker_id "
        "UNION ALL SELECT l.id, e.worker_id, 0, 'rpc', min(e.id), 0 FROM event e JOIN worker l ON "
        "l.leader = 1 WHERE e.signature_id = 'coord-rpc-lost' AND e.generation = ?1 AND e.outcome "
        "<> 'progressed_after' AND e.worker_id <> l.id GROUP BY l.id, e.worker_id "
        "ORDER BY 1, 2, 5, 4");
    if (!s.ok()) return s.status();
    s->bind(1, generation_);
    for (;;) {
      const Result<bool> row = s->step();
      if (!row.ok()) return row.status();
      if (!*row) return ok_status();
      edges_[s->as_int(0)].push_back({s->as_int(1), s->as_int(2) != 0 ? kHard : kFirm, s->text(3),
                                      s->as_int(4), s->as_int(5) != 0});
    }
  }

  // Dijkstra from the origins of one cause. Inside a task the order of its records costs nothing
  // extra: its errors come last.
  void search(std::size_t cause) {
    std::map<std::int64_t, Reached>& reached = reached_[cause];
    using Entry = std::tuple<int, std::int64_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    for (const std::int64_t w : origins_of(at(cause))) {
      reached[w] = {0, 0, nullptr};
      open.emplace(0, w);
    }
    while (!open.empty()) {
      const auto [cost, worker] = open.top();
      open.pop();
      if (reached[worker].cost < cost) continue;
      for (const Edge& e : edges_[worker]) {
        const auto known = reached.find(e.to);
        const int total = cost + e.cost;
        if (known != reached.end() && known->second.cost <= total) continue;
        reached[e.to] = {total, worker, &e};
        open.emplace(total, e.to);
      }
    }
  }

  // Nothing names the origin, but both failures fit: the victim lost a connection in the collective
  // that the origin did not enter, or raised an error that no hypothesis makes its own fault.
  void explain(std::size_t cause) {
    const Hypothesis& h = at(cause);
    const auto steps = file_.facts.steps.find(generation_);
    const std::int64_t period = steps == file_.facts.steps.end() ? 1 : steps->second.granularity;
    for (const RunInfo& r : file_.facts.runs) {
      const bool hurt = r.ending == "victim" || (r.ending == "crashed" && !at_fault(r.worker));
      if (r.generation != generation_ || !hurt) continue;
      if (reached_[cause].count(r.worker) != 0) continue;
      // It got no further than the origin let it, and was not stuck long before.
      const bool fits = !h.step_lo || !r.last_step || !file_.facts.synchronous ||
                        (*r.last_step >= *h.step_lo - 1 - period &&
                         *r.last_step <= h.step_hi.value_or(*h.step_lo) + period);
      if (fits || causes_.size() == 1) reached_[cause][r.worker] = {kExplained, 0, nullptr};
    }
  }

  Status collect() {
    for (const RunInfo& r : file_.facts.runs) {
      if (r.generation != generation_ || origins_.count(r.worker) != 0) continue;
      if (r.ending == "finished" || r.ending == "excused") continue;
      std::size_t best = causes_.size();
      for (std::size_t i = 0; i < causes_.size(); ++i) {
        const auto& reached = reached_[causes_[i]];
        const auto here = reached.find(r.worker);
        if (here == reached.end()) continue;
        if (best == causes_.size() || here->second.cost < reached_[causes_[best]][r.worker].cost) {
          best = i;
        }
      }
      if (best < causes_.size()) TFPM_RETURN_IF_ERROR(add(r, causes_[best]));
    }
    return ok_status();
  }

  Status add(const RunInfo& run, std::size_t cause) {
    const Reached& reached = reached_[cause][run.worker];
    Cascade c;
    c.worker = run.worker;
    c.name = run.name;
    c.cause = cause;
    c.cost = reached.cost;
    c.recorded = reached.edge != nullptr;
    c.edge = c.recorded ? reached.edge->edge : run.ending == "crashed" ? "explains" : "collective";
    c.at_start = c.recorded && reached.edge->at_start;
    if (reached.from != 0 && origins_.count(reached.from) == 0) c.via = reached.from;
    const OptInt event = c.recorded ? OptInt(reached.edge->event) : run.terminal_event;
    if (event && out_.size() < kMaxCited) TFPM_RETURN_IF_ERROR(cite(*event, c));
    out_.push_back(std::move(c));
    return ok_status();
  }

  // The line that says something, and the one behind it that names the task it speaks of.
  Status cite(std::int64_t event, Cascade& c) {
    const Result<std::string> line = speaking_line(db_, event);
    if (!line.ok()) return line.status();
    c.refs.push_back(*line);
    Result<Statement> s = db_.prepare("SELECT step_lo, step_hi FROM event WHERE id = ?1");
    if (!s.ok()) return s.status();
    s->bind(1, event);
    const Result<bool> row = s->step();
    if (!row.ok()) return row.status();
    if (*row) {
      c.step_lo = s->maybe_int(0);
      c.step_hi = s->maybe_int(1);
    }
    if (c.edge != "rpc") return ok_status();
    Result<Statement> named = db_.prepare(
        "SELECT min(e.id) FROM event t JOIN event e ON e.id BETWEEN t.id AND t.id + 16 AND "
        "e.source_id = t.source_id AND e.record_line = t.record_line AND e.line > t.line JOIN "
        "context_line c ON c.source_id = e.source_id AND c.line = e.line WHERE t.id = ?1 AND "
        "c.text LIKE '%remote target%task:%'");
    if (!named.ok()) return named.status();
    named->bind(1, event);
    const Result<bool> found = named->step();
    if (!found.ok()) return found.status();
    if (*found && !named->is_null(0) && c.refs.size() < kMaxRefs) {
      c.refs.push_back("event:" + std::to_string(named->as_int(0)));
    }
    return ok_status();
  }

  static constexpr std::size_t kMaxCited = 64;  // tasks whose lines are looked up
  // Failures whose consequences are searched, each among all tasks. Where more tasks failed on
  // their own it does not matter who of the others fell to whom.
  static constexpr std::size_t kMaxCauses = 64;

  Database& db_;
  const CaseFile& file_;
  std::int64_t generation_;
  std::vector<std::size_t> causes_;                  // indexes of hypotheses, the root first
  std::set<std::int64_t> origins_;                   // workers where one of them began
  std::set<std::int64_t> at_fault_;                  // workers that a hypothesis which stands names
  std::map<std::int64_t, std::vector<Edge>> edges_;  // by the worker they start at
  std::map<std::size_t, std::map<std::int64_t, Reached>> reached_;  // by cause, worker
  std::vector<Cascade> out_;
};

}  // namespace

Result<std::vector<Cascade>> find_cascades(Database& db, const CaseFile& file) {
  if (file.choice.status == VerdictStatus::kHealthy) return std::vector<Cascade>{};
  return CascadeFinder(db, file).run();
}

}  // namespace tfpm
