#include "align/accusations.h"

#include <algorithm>
#include <map>
#include <set>

namespace tfpm {
namespace {

bool contains(std::string_view text, std::string_view what) {
  return text.find(what) != std::string_view::npos;
}

std::vector<std::string> split_names(std::string_view list) {
  std::vector<std::string> out;
  while (!list.empty()) {
    const std::string_view name = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), name.size() + 1));
    if (!name.empty()) out.emplace_back(name);
  }
  return out;
}

// Group and instance of a collective are agreed on with the leader alone, whoever is missing.
bool is_call_to_leader(std::string_view method) {
  return contains(method, "/CompleteGroup") || contains(method, "/CompleteInstance") ||
         contains(method, "/GetStepSequence");
}

bool is_call_between_tasks(std::string_view method) {
  return contains(method, "WorkerService/") || contains(method, "EagerService/");
}

class Collector {
 public:
  explicit Collector(Model& m) : m_(m) {}

  void run() {
    for (std::size_t i = 0; i < m_.events.size(); ++i) {
      set_peer(m_.events[i]);
      const EventInfo& e = m_.events[i];
      if (e.worker < 0 || e.outcome == "progressed_after") {
        continue;  // the same attempt went on: retracted (G1)
      }
      witness(e, static_cast<int>(i));
      lists(e, static_cast<int>(i));
    }
    connect_waits();
    void_victims();
    void_overruled();
  }

 private:
  void set_peer(EventInfo& e) const {
    if (e.has("job") && e.has("peer")) {
      e.peer = m_.find_worker(task_name(e.capture("job"), e.capture("peer")));
    } else if (e.has("hop_job")) {
      e.peer = m_.find_worker(task_name(e.capture("hop_job"), e.capture("hop_task")));
    }
  }

  const WorkerInfo& worker(int index) const { return m_.workers[static_cast<std::size_t>(index)]; }

  void add(const char* kind, std::int64_t generation, int by, int accused, int event) {
    if (accused < 0 || accused == by) return;
    if (!seen_.insert({kind, generation, by, accused}).second) return;
    m_.accusations.push_back({kind, generation, by, accused, event, {}});
  }

  // A connection that the peer closed names it, first hop first.
  void witness(const EventInfo& e, int index) {
    if (!e.has("hop_job")) return;
    const std::string_view text = e.capture("inner_text");
    const bool closed = contains(text, "Socket closed") || contains(text, "Connection reset") ||
                        contains(text, "Connection refused") || contains(text, "Broken pipe") ||
                        contains(text, "No route to host");
    // Nobody refused and nobody answered: the host or the way to it, whatever the process did.
    const bool unanswered =
        contains(text, "connect() timed out") || contains(text, "Connection timed out");
    const std::string_view method = e.capture("hop_method");
    if ((!closed && !unanswered) || !is_call_between_tasks(method)) return;
    const int peer = m_.find_worker(task_name(e.capture("hop_job"), e.capture("hop_task")));
    // A leader that died of another's death is lost by everybody: its own log must be there to
    // tell.
    if (peer >= 0 && is_call_to_leader(method) && !worker(peer).has_log) return;
    const char* kind = unanswered ? "no-answer" : "transport-witness";
    add(kind, e.generation.value_or(0), e.worker, peer, index);
  }

  void lists(const EventInfo& e, int index) {
    const std::int64_t g = e.generation.value_or(0);
    if (e.signature == "coord-unhealthy" || e.signature == "coord-heartbeat") {
      // One statement of the leader, copied into every log: nobody's own vote.
      for (const std::string& name : split_names(e.capture("tasks"))) {
        add("heartbeat-list", g, -1, m_.find_worker(name), index);
      }
      if (!e.has("tasks")) add("heartbeat-list", g, -1, e.peer, index);
    } else if (e.signature == "coll-health-fail" || e.signature == "coll-health-retry") {
      add("health-check", g, e.worker, e.peer, index);
    } else if (e.signature == "coord-barrier-timeout") {
      for (const std::string& name : split_names(e.capture("tasks"))) {
        add("barrier-missing", g, -1, m_.find_worker(name), index);
      }
    } else if (e.signature == "horovod-missing-ranks") {
      int late = m_.find_worker("rank-" + std::string(e.capture("rank")));
      if (late < 0) late = m_.find_worker("worker-" + std::string(e.capture("rank")));
      add("stall-missing", g, e.worker, late, index);
    } else if (e.signature == "session-waiting-worker") {
      add("connect-wait", g, e.worker, e.peer, index);
    }
  }

  // The last "waiting for n tasks" of the leader names who never came, if n > 0 and nobody stepped.
  void connect_waits() {
    std::map<std::pair<int, std::int64_t>, int> last;  // (worker, generation) -> event
    for (std::size_t i = 0; i < m_.events.size(); ++i) {
      const EventInfo& e = m_.events[i];
      if (e.worker < 0) continue;
      if (speaks_of_starts(e)) starts_[e.worker].push_back(static_cast<int>(i));
      if (e.signature != "coord-waiting-tasks") continue;
      last[{e.worker, e.generation.value_or(0)}] = static_cast<int>(i);
    }
    for (const auto& [key, index] : last) {
      const EventInfo& e = m_.events[static_cast<std::size_t>(index)];
      if (e.capture("n") == "0") continue;
      if (m_.generations[static_cast<std::size_t>(key.second)].frontier) continue;
      for (const int missing : missing_tasks(key.first, key.second, index)) {
        add("connect-wait", key.second, key.first, missing, index);
      }
    }
  }

  static bool speaks_of_starts(const EventInfo& e) {
    return e.signature == "coord-task-connected" || e.signature == "coord-waiting-tasks" ||
           e.signature == "coord-stragglers";
  }

  // Cluster minus those that connected to this leader, plus the names of the list that follows.
  std::vector<int> missing_tasks(int leader, std::int64_t generation, int wait_event) const {
    std::set<int> connected;
    std::set<int> named;
    const auto own = starts_.find(leader);
    if (own == starts_.end()) return {};
    for (const int i : own->second) {
      const EventInfo& e = m_.events[static_cast<std::size_t>(i)];
      if (e.generation.value_or(0) != generation) continue;
      if (e.signature == "coord-task-connected") {
        const int who = m_.find_worker(task_name(e.capture("job"), e.capture("peer")));
        if (who >= 0) connected.insert(who);
      }
      const bool list_after =
          i >= wait_event && e.has("tasks") && e.signature != "coord-task-connected";
      if (!list_after) continue;
      for (const std::string& name : split_names(e.capture("tasks"))) {
        const int who = m_.find_worker(name);
        if (who >= 0) named.insert(who);
      }
    }
    std::vector<int> out;
    for (std::size_t i = 0; i < m_.workers.size(); ++i) {
      const WorkerInfo& w = m_.workers[i];
      const int at = static_cast<int>(i);
      const bool expected = w.in_cluster && w.trains() && connected.count(at) == 0;
      if (expected || named.count(at) != 0) out.push_back(at);
    }
    return out;
  }

  const AttemptInfo* attempt_in(int worker, std::int64_t generation) const {
    for (const AttemptInfo& a : m_.workers[static_cast<std::size_t>(worker)].attempts) {
      if (a.generation == generation) return &a;
    }
    return nullptr;
  }

  // Who ended in a communication error is a victim however often it is named, unless only
  // heartbeats name it: then it may be the one that was cut off or frozen (told apart by the
  // rules).
  void void_victims() {
    std::set<std::pair<int, std::int64_t>> witnessed;
    std::set<std::int64_t> generations_with_witness;
    for (const AccusationInfo& a : m_.accusations) {
      if (a.kind != "transport-witness") continue;
      const AttemptInfo* run = attempt_in(a.accused, a.generation);
      if (run != nullptr && run->ending == Ending::kVictim) continue;
      witnessed.insert({a.accused, a.generation});
      generations_with_witness.insert(a.generation);
    }
    for (AccusationInfo& a : m_.accusations) {
      const AttemptInfo* run = attempt_in(a.accused, a.generation);
      if (run == nullptr) continue;
      const bool victim = run->ending == Ending::kVictim;
      if (a.kind == "transport-witness" && victim) a.void_reason = "victim";
      if (a.kind == "heartbeat-list" && victim &&
          generations_with_witness.count(a.generation) != 0) {
        a.void_reason = "victim";
      }
      if (run->ending == Ending::kFinished || run->ending == Ending::kExcused) {
        a.void_reason = "finished";
      }
    }
    witnessed_ = std::move(witnessed);
  }

  // A first-hand witness overrules the leader's list of whoever was silent: the list names victims
  // too.
  void void_overruled() {
    std::set<std::int64_t> with_witness;
    for (const auto& [who, g] : witnessed_) with_witness.insert(g);
    for (AccusationInfo& a : m_.accusations) {
      if (a.kind == "heartbeat-list" && a.void_reason.empty() &&
          with_witness.count(a.generation) != 0) {
        a.void_reason = "overruled";
      }
    }
  }

  Model& m_;
  std::set<std::tuple<std::string, std::int64_t, int, int>> seen_;
  std::set<std::pair<int, std::int64_t>> witnessed_;
  std::map<int, std::vector<int>> starts_;  // by worker: events that tell who connected or did not
};

}  // namespace

void collect_accusations(Model& model) {
  Collector(model).run();
}

}  // namespace tfpm
