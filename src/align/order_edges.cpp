#include "align/order_edges.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace tfpm {
namespace {

// Fewer characters of a message are found in unrelated errors, too.
constexpr std::size_t kMinMessage = 12;
// Distinct first errors that are looked for in the words of others.
constexpr std::size_t kMaxMessages = 64;

bool is_any(std::string_view id, std::initializer_list<std::string_view> set) {
  return std::find(set.begin(), set.end(), id) != set.end();
}

// A first-hand error of the program, not one that hands on what happened elsewhere.
bool is_own_error(const EventInfo& e) {
  return (e.kind == "traceback" || e.kind == "crash") && e.capture("communication") != "1" &&
         !e.has("inner_text");
}

class EdgeFinder {
 public:
  EdgeFinder(const Model& m, LogicalOrder& order) : m_(m), order_(order) {
    for (std::size_t n = 0; n < order.nodes.size(); ++n) sort_in(n);
    for (auto& [run, nodes] : runs_) {
      std::stable_sort(nodes.begin(), nodes.end(),
                       [&](std::size_t a, std::size_t b) { return record(a).seq < record(b).seq; });
      runs_of_[std::get<0>(run)].push_back(&nodes);
    }
    for (const EventInfo& e : m.events) sort_in(e);
  }

  void run() {
    program_order();
    processes();
    collectives();
    checkpoints();
    abort_texts();
    accusations();
  }

 private:
  using Run = std::tuple<int, OptInt, int>;  // worker, attempt, stream: one sequence of records
  using Nodes = std::vector<std::size_t>;
  using Events = std::vector<const EventInfo*>;

  // The first event of a record.
  const EventInfo& record(std::size_t node) const { return m_.events[order_.nodes[node].index]; }
  std::size_t node_of(const EventInfo& e) const {
    return order_.node_of_event[static_cast<std::size_t>(&e - m_.events.data())];
  }

  void sort_in(std::size_t n) {
    const OrderNode& node = order_.nodes[n];
    if (node.kind == OrderNode::Kind::kBarrier) {
      barriers_[{node.generation, node.step}] = n;
    } else if (node.kind == OrderNode::Kind::kExit) {
      exits_.push_back(n);
    } else {
      const EventInfo& e = m_.events[node.index];
      runs_[{e.worker, e.attempt, e.stream}].push_back(n);
    }
  }

  void sort_in(const EventInfo& e) {
    if (e.worker < 0 || node_of(e) == kNoNode) return;
    if (is_own_error(e)) own_errors_.push_back(&e);
    if (e.has("inner_text")) wrapped_.push_back(&e);
    if (is_any(e.signature, {"coord-unhealthy", "coord-heartbeat"})) silent_lists_.push_back(&e);
    if (e.signature == "ckpt-saved" && e.has("prefix")) {
      saves_.emplace(std::string(e.capture("prefix")), &e);
    }
    if (e.tells_restore()) restores_.push_back(&e);
  }

  void add(std::size_t from, std::size_t to, EdgeClass strength, std::string_view how) {
    order_.graph.add(from, to, strength, how);
  }

  // E1: the records of one stream, in the order they stand in; its attempts follow each other.
  void program_order() {
    std::map<int, std::size_t> last_of_stream;
    for (const auto& [run, nodes] : runs_) {
      for (std::size_t i = 1; i < nodes.size(); ++i) {
        add(nodes[i - 1], nodes[i], EdgeClass::kHard, "program-order");
      }
      const int stream = std::get<2>(run);
      if (stream < 0) continue;
      const auto before = last_of_stream.find(stream);
      if (before != last_of_stream.end()) {
        add(before->second, nodes.front(), EdgeClass::kHard, "process");
      }
      last_of_stream[stream] = nodes.back();
    }
  }

  // E1: start -> first record of each stream, last record -> exit, exit -> next start of the task.
  void processes() {
    std::map<int, std::size_t> last_exit;
    for (const std::size_t n : exits_) {
      const OrderNode& node = order_.nodes[n];
      const ExitInfo& x = m_.exits[node.index];
      if (node.worker < 0 || (x.what != "started" && x.what != "exited")) continue;
      for (const Nodes* nodes : runs_of_[node.worker]) {
        if (!x.attempt || record(nodes->front()).attempt != x.attempt) continue;
        if (x.what == "started") {
          add(n, nodes->front(), EdgeClass::kHard, "process");
        } else {
          add(nodes->back(), n, EdgeClass::kHard, "process");
        }
      }
      const auto before = last_exit.find(node.worker);
      if (before != last_exit.end()) add(before->second, n, EdgeClass::kHard, "process");
      last_exit[node.worker] = n;
    }
  }

  // E1: every ENTER -> barrier -> every EXIT, by the step numbers of each record (section 3.2).
  void collectives() {
    std::size_t before = kNoNode;
    for (const auto& [key, node] : barriers_) {
      const bool follows = before != kNoNode && order_.nodes[before].generation == key.first;
      if (follows) add(before, node, EdgeClass::kHard, "collective");
      before = node;
    }
    for (std::size_t n = 0; n < order_.nodes.size(); ++n) {
      const OrderNode& node = order_.nodes[n];
      if (node.place.enter_next) barrier_edge(n, *node.place.enter_next, true);
      if (node.place.exits) barrier_edge(n, *node.place.exits, false);
    }
  }

  void barrier_edge(std::size_t n, std::int64_t step, bool enters) {
    const auto at = barriers_.find({order_.nodes[n].generation, step});
    if (at == barriers_.end()) return;
    const std::size_t from = enters ? n : at->second;
    const std::size_t to = enters ? at->second : n;
    add(from, to, EdgeClass::kHard, "collective");
  }

  // E1: what a later start of the job restored was saved before.
  void checkpoints() {
    for (const EventInfo* e : restores_) {
      const auto save = saves_.find(std::string(e->capture("prefix")));
      if (save == saves_.end()) continue;
      if (save->second->generation.value_or(0) >= e->generation.value_or(0)) continue;
      add(node_of(*save->second), node_of(*e), EdgeClass::kHard, "checkpoint");
    }
  }

  // E1: a status that another task's error repeats word by word came from there.
  void abort_texts() {
    std::map<std::string, Events> raised;  // by message
    for (const EventInfo* e : own_errors_) {
      const std::string message(e->capture("message"));
      if (message.size() < kMinMessage) continue;
      if (raised.size() < kMaxMessages || raised.count(message) != 0) raised[message].push_back(e);
    }
    for (const auto& [message, origins] : raised) {
      // Several raised it: the error was everybody's own.
      if (origins.size() != 1) continue;
      const EventInfo& origin = *origins.front();
      for (const EventInfo* e : wrapped_) {
        const bool went_on = e->outcome == "progressed_after";
        if (went_on || e->worker == origin.worker || e->generation != origin.generation) continue;
        if (e->capture("inner_text").find(message) == std::string_view::npos) continue;
        add(node_of(origin), node_of(*e), EdgeClass::kHard, "abort-text");
      }
    }
  }

  // E2: the last sign of life of the accused -> the error that names it.
  void accusations() {
    std::set<std::pair<int, std::int64_t>> listed;  // accused by the leader's list, generation
    for (const AccusationInfo& a : m_.accusations) {
      const bool retracted =
          a.void_reason == "retracted" || a.void_reason == "finished" || a.void_reason == "victim";
      // Who never connected has no last sign of life.
      if (retracted || a.kind == "connect-wait" || a.event < 0) continue;
      if (a.kind == "heartbeat-list") listed.insert({a.accused, a.generation});
      const bool coordinator =
          a.kind == "heartbeat-list" || a.kind == "barrier-missing" || a.kind == "stall-missing";
      const std::size_t to = order_.node_of_event[static_cast<std::size_t>(a.event)];
      last_signs(a.accused, a.generation, to, coordinator ? "coordinator" : "rpc");
    }
    copied_lists(listed);
  }

  // The leader's list of silent tasks is copied into every log.
  void copied_lists(const std::set<std::pair<int, std::int64_t>>& listed) {
    for (const EventInfo* e : silent_lists_) {
      std::string_view rest = e->capture("tasks");
      while (!rest.empty()) {
        const std::string_view name = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), name.size() + 1));
        const int accused = m_.find_worker(name);
        if (listed.count({accused, e->generation.value_or(0)}) == 0) continue;
        last_signs(accused, e->generation.value_or(0), node_of(*e), "coordinator");
      }
    }
  }

  void last_signs(int accused, std::int64_t generation, std::size_t to, std::string_view how) {
    if (to == kNoNode || order_.nodes[to].worker == accused) return;
    for (const Nodes* nodes : runs_of_[accused]) {
      if (record(nodes->back()).generation.value_or(0) != generation) continue;
      add(nodes->back(), to, EdgeClass::kFirm, how);
    }
  }

  const Model& m_;
  LogicalOrder& order_;
  std::map<Run, Nodes> runs_;                         // records, in the order of their stream
  std::map<int, std::vector<const Nodes*>> runs_of_;  // by worker
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> barriers_;  // by generation, step
  Nodes exits_;                                    // in the order of the launchers' logs
  std::map<std::string, const EventInfo*> saves_;  // the first of each prefix
  Events restores_;
  Events own_errors_;
  Events wrapped_;       // hand on an inner status
  Events silent_lists_;  // list tasks without a heartbeat
};

}  // namespace

void add_order_edges(const Model& model, LogicalOrder& order) {
  EdgeFinder(model, order).run();
}

}  // namespace tfpm
