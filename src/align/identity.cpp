#include "align/identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace tfpm {
namespace {

// Records from which a lone log without a name can hold steps (section 1.9: four markers).
constexpr std::int64_t kLoneLogRecords = 4;

bool is_task_type(std::string_view type) {
  constexpr std::array<std::string_view, 6> types = {"chief",     "master", "worker",
                                                     "evaluator", "ps",     "rank"};
  return std::find(types.begin(), types.end(), type) != types.end();
}

bool looks_like_task(std::string_view name) {
  std::string type;
  std::int64_t index = 0;
  return split_task_name(name, type, index) && is_task_type(type);
}

// "mnist-worker-0" or "job-abc-worker-3-x7k2p" -> "worker-0"; empty when no task is in it.
std::string task_in_pod(std::string_view pod) {
  for (const std::string_view type : {"chief", "master", "worker", "evaluator", "ps"}) {
    for (std::size_t at = pod.find(type); at != std::string_view::npos;
         at = pod.find(type, at + 1)) {
      const std::size_t after = at + type.size();
      const bool starts = at == 0 || pod[at - 1] == '-';
      if (!starts || after >= pod.size() || pod[after] != '-') continue;
      std::size_t end = after + 1;
      while (end < pod.size() && pod[end] >= '0' && pod[end] <= '9') ++end;
      if (end > after + 1 && (end == pod.size() || pod[end] == '-')) {
        return task_name(type, pod.substr(after + 1, end - after - 1));
      }
    }
  }
  return {};
}

bool is_generic(std::string_view name) {
  constexpr std::array<std::string_view, 10> generic = {
      "stdout", "stderr", "out", "err", "log", "output", "console", "main", "train", "logs"};
  return std::find(generic.begin(), generic.end(), name) != generic.end();
}

std::string_view file_stem(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  return name.substr(0, name.find('.', 1));
}

// Files that one process may write together share a key: the path without the endings that tell
// stdout from stderr and rotations apart; files with a generic name are keyed by their folder.
std::string file_key(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::string_view dir = slash == std::string_view::npos ? "" : path.substr(0, slash);
  const std::string_view name = file_stem(path);
  if (is_generic(name) && !dir.empty()) return std::string(dir);
  return dir.empty() ? std::string(name) : fmt::format("{}/{}", dir, name);
}

std::string last_component(std::string_view key) {
  const std::size_t slash = key.rfind('/');
  return std::string(slash == std::string_view::npos ? key : key.substr(slash + 1));
}

// A group of streams that one process wrote, before it has a name.
struct Group {
  std::string key;
  std::vector<int> streams;
  std::string by_place;  // name from manifest, file, tag or pod
  std::string place_basis;
  std::string claimed;  // name its configuration or strategy gives it
  std::string claim_basis;
  std::string weak;  // from rank or device
  std::string weak_basis;
  std::string host;
};

const StreamClaim* first_claim(const StreamInfo& stream, std::string_view kind) {
  for (const StreamClaim& c : stream.claims) {
    if (c.kind == kind) return &c;
  }
  return nullptr;
}

class Identifier {
 public:
  Identifier(Model& model, const AlignOptions& options) : m_(model), options_(options) {}

  void run() {
    group_streams();
    for (Group& g : groups_) read_claims(g);
    name_by_target();
    for (const Group& g : groups_) ++logs_called_[file_stem(first_stream(g).path)];
    for (const Group& g : groups_) make_worker(g);
    add_from_launcher();
    add_from_configs();
    add_from_connections();
    add_claims_of_files();
    attach_hosts_and_pids();
    attach_cluster_hosts();
    order_workers();
    choose_leader();
  }

 private:
  void group_streams() {
    std::map<std::string, std::size_t> by_key;
    for (std::size_t i = 0; i < m_.streams.size(); ++i) {
      const StreamInfo& s = m_.streams[i];
      if (s.tag_kind == "platform") continue;
      std::string key = file_key(s.path);
      if (const StreamClaim* file = first_claim(s, "file");
          file != nullptr && s.tag.empty() && looks_like_task(file->value)) {
        key = file->value;
      }
      if (!s.tag.empty()) key = s.tag_kind + ":" + s.tag;
      if (const auto it = options_.declared.find(s.path);
          it != options_.declared.end() && s.tag.empty()) {
        key = "declared:" + it->second.task;
      }
      const auto [it, fresh] = by_key.emplace(key, groups_.size());
      if (fresh) groups_.push_back({key, {}, {}, {}, {}, {}, {}, {}, {}});
      groups_[it->second].streams.push_back(static_cast<int>(i));
    }
    split_claimants();
  }

  // Logs of one task name in different folders are one process (stdout and stderr, or its
  // attempts), unless they cannot be: two hosts, or two process ids at the same time.
  void split_claimants() {
    std::vector<Group> more;
    for (Group& g : groups_) {
      std::vector<std::vector<int>> processes;
      for (const int i : g.streams) {
        const auto same = std::find_if(processes.begin(), processes.end(), [&](const auto& p) {
          return std::none_of(p.begin(), p.end(), [&](int j) { return apart(i, j); });
        });
        if (same == processes.end()) {
          processes.push_back({i});
        } else {
          same->push_back(i);
        }
      }
      for (std::size_t n = 1; n < processes.size(); ++n) {
        more.push_back({fmt::format("{}#{}", g.key, n), processes[n], {}, {}, {}, {}, {}, {}, {}});
      }
      g.streams = processes.front();
    }
    groups_.insert(groups_.end(), more.begin(), more.end());
  }

  bool apart(int a, int b) const {
    const StreamInfo& x = m_.streams[static_cast<std::size_t>(a)];
    const StreamInfo& y = m_.streams[static_cast<std::size_t>(b)];
    if (!x.tag.empty() || !y.tag.empty() || x.source_id == y.source_id) return false;
    if (disjoint(values_of(x, "host"), values_of(y, "host"))) return true;
    const bool at_once = x.first_us && y.first_us && x.last_us && y.last_us &&
                         *x.first_us < *y.last_us && *y.first_us < *x.last_us;
    return at_once && disjoint(values_of(x, "pid"), values_of(y, "pid"));
  }

  static std::set<std::string_view> values_of(const StreamInfo& s, std::string_view kind) {
    std::set<std::string_view> out;
    for (const StreamClaim& c : s.claims) {
      if (c.kind == kind) out.insert(c.value);
    }
    return out;
  }

  // Both known, and nothing in common.
  static bool disjoint(const std::set<std::string_view>& a, const std::set<std::string_view>& b) {
    return !a.empty() && !b.empty() &&
           std::none_of(a.begin(), a.end(), [&](std::string_view v) { return b.count(v) != 0; });
  }

  void read_claims(Group& g) const {
    for (const int i : g.streams) {
      const StreamInfo& s = m_.streams[static_cast<std::size_t>(i)];
      if (const auto it = options_.declared.find(s.path); it != options_.declared.end()) {
        if (s.tag.empty()) set_if_empty(g.by_place, g.place_basis, it->second.task, "manifest");
        if (!it->second.host.empty()) g.host = it->second.host;
      }
      for (const StreamClaim& c : s.claims) read_claim(g, s, c);
    }
  }

  static void set_if_empty(std::string& value, std::string& basis, std::string_view v,
                           std::string_view b) {
    if (!value.empty() || v.empty()) return;
    value = std::string(v);
    basis = std::string(b);
  }

  static void read_claim(Group& g, const StreamInfo& s, const StreamClaim& c) {
    if (c.kind == "file" && s.tag.empty() && looks_like_task(c.value)) {
      set_if_empty(g.by_place, g.place_basis, c.value, "file");
    } else if (c.kind == "pod") {
      set_if_empty(g.by_place, g.place_basis, task_in_pod(c.value), "pod");
    } else if (c.kind == "tf_config" || c.kind == "strategy") {
      set_if_empty(g.claimed, g.claim_basis, c.value, c.kind);
    } else if (c.kind == "device" && !c.value.empty()) {
      if (g.weak_basis == "rank") g.weak.clear();  // a rank only counts processes
      set_if_empty(g.weak, g.weak_basis, c.value, "device");
    } else if (c.kind == "rank") {
      set_if_empty(g.weak, g.weak_basis, "rank-" + c.value, "rank");
    } else if (c.kind == "host" && g.host.empty()) {
      g.host = c.value;
    }
  }

  const StreamInfo& first_stream(const Group& g) const {
    return m_.streams[static_cast<std::size_t>(g.streams.front())];
  }

  std::string_view target_of(const Group& g) const {
    for (const int i : g.streams) {
      const StreamClaim* target = first_claim(m_.streams[static_cast<std::size_t>(i)], "target");
      if (target != nullptr) return target->value;
    }
    return {};
  }

  // A process known by its rank alone has the address of its server: the cluster says whose that
  // is. Not when two processes opened the same address, or clusters disagree about it.
  void name_by_target() {
    std::map<std::string_view, std::set<std::string>> tasks;
    for (const auto& [id, cluster] : m_.clusters) {
      for (ClusterEntry& e : entries_of(cluster)) {
        tasks[e.address].insert(std::move(e.task));
      }
    }
    if (tasks.empty()) return;
    std::map<std::string_view, int> users;
    for (const Group& g : groups_) ++users[target_of(g)];
    for (Group& g : groups_) {
      if (!g.by_place.empty() || !g.claimed.empty() || g.weak_basis != "rank") continue;
      const std::string_view target = target_of(g);
      const auto it = tasks.find(target);
      if (it == tasks.end() || it->second.size() != 1 || users[target] != 1) continue;
      set_if_empty(g.claimed, g.claim_basis, *it->second.begin(), "target");
    }
  }

  // True when the group can be a task at all: something besides its file name says so, or it looks
  // like training.
  bool is_process(const Group& g) const {
    if (!g.by_place.empty() || !g.claimed.empty() || !g.weak.empty()) return true;
    return std::any_of(g.streams.begin(), g.streams.end(), [&](int i) {
      const StreamInfo& s = m_.streams[static_cast<std::size_t>(i)];
      return first_claim(s, "pid") != nullptr || first_claim(s, "target") != nullptr;
    });
  }

  // One untagged file that holds what several processes said of themselves, each under its own
  // name and address: nobody knows whose its other lines are (section 1.8).
  bool holds_several(const Group& g) const {
    if (!g.by_place.empty()) return false;
    std::set<std::string_view> names, targets;
    for (const int i : g.streams) {
      const StreamInfo& s = m_.streams[static_cast<std::size_t>(i)];
      if (!s.tag.empty()) return false;
      for (const StreamClaim& c : s.claims) {
        if (c.kind == "tf_config" || c.kind == "strategy" || c.kind == "device") {
          names.insert(c.value);
        }
        if (c.kind == "target") targets.insert(c.value);
      }
    }
    return names.size() > 1 && targets.size() > 1;
  }

  void make_worker(const Group& g) {
    if ((!is_process(g) && !is_only_log(g)) || holds_several(g)) return;
    WorkerInfo w;
    if (!g.by_place.empty()) {
      w.name = g.by_place;
      w.name_basis = g.place_basis;
      if (!g.claimed.empty() && g.claimed != w.name) w.claims = g.claimed;
    } else if (!g.claimed.empty()) {
      w.name = g.claimed;
      w.name_basis = g.claim_basis;
    } else if (!g.weak.empty()) {
      w.name = g.weak;
      w.name_basis = g.weak_basis;
    } else {
      w.name = name_of_place(g);
      w.name_basis = "file";
    }
    w.host = g.host;
    w.has_log = true;
    w.streams = g.streams;
    add_worker(std::move(w));
  }

  // A folder names a task only where it must: where another has a file of that name, too. Else what
  // somebody called the place the logs were put in would be part of who is who.
  std::string name_of_place(const Group& g) const {
    const StreamInfo& first = first_stream(g);
    const std::string_view own = file_stem(first.path);
    std::string name = last_component(g.key);
    if (!first.tag.empty() || !is_generic(own)) return name;
    const bool told_apart = logs_called_.find(own)->second > 1 && !is_generic(name);
    return told_apart ? name : std::string(own);
  }

  // A log that says nothing of itself still is a process when markers or errors will come of it and
  // no other log is better: a single plain file, long enough for steps or with words of a failure.
  bool is_only_log(const Group& g) const {
    return groups_.size() == 1 && std::any_of(g.streams.begin(), g.streams.end(), [&](int i) {
             return m_.streams[static_cast<std::size_t>(i)].records >= kLoneLogRecords ||
                    has_failure(i);
           });
  }

  bool has_failure(int stream) const {
    return std::any_of(m_.events.begin(), m_.events.end(), [&](const EventInfo& e) {
      return e.stream == stream && (e.kind == "traceback" || e.kind == "crash" || e.role == "root");
    });
  }

  // Returns the index. A second process of the same name gets the next instance number.
  int add_worker(WorkerInfo w) {
    const auto index = static_cast<int>(m_.workers.size());
    const auto [last, fresh] = last_instance_.emplace(w.name, w.instance);
    if (!fresh && w.has_log) w.instance = std::max(w.instance, last->second + 1);
    last->second = std::max(last->second, w.instance);
    if (w.instance == 0) m_.worker_of_name.emplace(w.name, index);
    split_type(w);
    m_.workers.push_back(std::move(w));
    return index;
  }

  static void split_type(WorkerInfo& w) {
    std::int64_t index = 0;
    std::string type;
    if (split_task_name(w.name, type, index)) {
      w.type = type;
      w.index = index;
    }
  }

  int ensure_worker(const std::string& name, std::string_view basis) {
    const int found = m_.find_worker(name);
    if (found >= 0) return found;
    WorkerInfo w;
    w.name = name;
    w.name_basis = std::string(basis);
    return add_worker(std::move(w));
  }

  void add_from_launcher() {
    for (const ExitInfo& e : m_.exits) {
      if (!e.task.empty() && looks_like_task(e.task)) ensure_worker(e.task, "launcher");
    }
  }

  // Clusters name tasks that may have left nothing else behind. A cluster that only one of several
  // processes believes in does not create tasks.
  void add_from_configs() {
    std::map<std::int64_t, std::set<std::string>> believers;  // by cluster
    for (const TfConfigInfo& c : m_.tf_configs) {
      const std::string who = !c.owner.empty() ? c.owner : fmt::format("stream {}", c.stream);
      if (c.cluster_id != 0) believers[c.cluster_id].insert(who);
    }
    // Of each task those who believe in it, unless one cluster of several believers says enough.
    std::map<std::string, std::set<std::string>> one_of;
    std::set<std::string> all, several;
    for (const auto& [cluster, who] : believers) {
      for (const ClusterEntry& e : entries_of(m_.clusters[cluster])) {
        if (who.size() > 1) several.insert(e.task);
        one_of[e.task].insert(*who.begin());
        all.insert(*who.begin());
        all.insert(*who.rbegin());
      }
    }
    for (const auto& [task, who] : one_of) {
      if (!is_task_type(task.substr(0, task.rfind('-')))) continue;
      const bool alone = who.size() == 1 && !several.contains(task);
      if (alone && all.size() > 1 && m_.find_worker(task) < 0) continue;
      m_.workers[static_cast<std::size_t>(ensure_worker(task, "cluster"))].in_cluster = true;
    }
  }

  // A TF_CONFIG file beside the log claims for its process what the log may never have printed.
  void add_claims_of_files() {
    for (const TfConfigInfo& c : m_.tf_configs) {
      const int at = c.owner.empty() ? -1 : m_.find_worker(c.owner);
      if (at < 0 || c.task_type.empty() || !c.task_index) continue;
      WorkerInfo& w = m_.workers[static_cast<std::size_t>(at)];
      const std::string claimed = fmt::format("{}-{}", c.task_type, *c.task_index);
      if (w.claims.empty() && claimed != w.name) w.claims = claimed;
    }
  }

  struct ClusterEntry {
    std::string task;
    std::string_view address;  // into the cluster text
  };

  // 'chief=h0:1|worker=h1:1,h2:1' -> chief-0 h0:1, worker-0 h1:1, worker-1 h2:1
  static std::vector<ClusterEntry> entries_of(std::string_view cluster) {
    std::vector<ClusterEntry> out;
    while (!cluster.empty()) {
      const std::string_view job = cluster.substr(0, cluster.find('|'));
      cluster.remove_prefix(std::min(cluster.size(), job.size() + 1));
      const std::size_t eq = job.find('=');
      if (eq == std::string_view::npos) continue;
      std::size_t at = eq + 1;
      for (int i = 0; at <= job.size(); ++i) {
        const std::string_view address = job.substr(at, job.find(',', at) - at);
        out.push_back({fmt::format("{}-{}", job.substr(0, eq), i), address});
        at += address.size() + 1;
      }
    }
    return out;
  }

  void add_from_connections() {
    for (const EventInfo& e : m_.events) {
      if (e.signature == "coord-task-connected") {
        add_named(task_name(e.capture("job"), e.capture("peer")));
      } else if (e.signature == "coord-waiting-tasks" || e.signature == "coord-stragglers") {
        std::string_view list = e.capture("tasks");
        while (!list.empty()) {
          const std::string_view name = list.substr(0, list.find(','));
          list.remove_prefix(std::min(list.size(), name.size() + 1));
          add_named(std::string(name));
        }
      }
    }
  }

  void add_named(const std::string& name) {
    if (!looks_like_task(name)) return;
    m_.workers[static_cast<std::size_t>(ensure_worker(name, "cluster"))].in_cluster = true;
  }

  void attach_hosts_and_pids() {
    for (WorkerInfo& w : m_.workers) {
      for (const int i : w.streams) {
        for (const StreamClaim& c : m_.streams[static_cast<std::size_t>(i)].claims) {
          if (c.kind == "pid") add_pid(w, std::stoll(c.value));
        }
      }
    }
    for (const ExitInfo& e : m_.exits) {
      const int at = e.task.empty() ? -1 : m_.find_worker(e.task);
      if (at < 0) continue;
      WorkerInfo& w = m_.workers[static_cast<std::size_t>(at)];
      if (w.host.empty()) w.host = e.host;
      if (e.pid) add_pid(w, *e.pid);
    }
  }

  // Where nothing else names a task's host, the address that all clusters give it does.
  void attach_cluster_hosts() {
    std::map<std::string, std::set<std::string_view>> hosts;
    for (const auto& [id, cluster] : m_.clusters) {
      for (const ClusterEntry& e : entries_of(cluster)) {
        hosts[e.task].insert(e.address.substr(0, e.address.rfind(':')));
      }
    }
    for (WorkerInfo& w : m_.workers) {
      const auto it = hosts.find(w.name);
      if (!w.host.empty() || it == hosts.end() || it->second.size() != 1) continue;
      const std::string_view host = *it->second.begin();
      if (host != "localhost" && !host.starts_with("127.") && host != "0.0.0.0") w.host = host;
    }
  }

  static void add_pid(WorkerInfo& w, std::int64_t pid) {
    if (std::find(w.pids.begin(), w.pids.end(), pid) == w.pids.end()) w.pids.push_back(pid);
  }

  // Chief, master, workers, others, servers, evaluators; each by index; unknown names last.
  static int type_rank(const WorkerInfo& w) {
    if (w.type == "chief" || w.type == "master") return 0;
    if (w.type == "worker") return 1;
    if (w.type == "rank") return 2;
    if (w.type == "ps") return 3;
    if (w.type == "evaluator") return 4;
    return 5;
  }

  void order_workers() {
    std::stable_sort(m_.workers.begin(), m_.workers.end(),
                     [](const WorkerInfo& a, const WorkerInfo& b) {
                       const auto key = [](const WorkerInfo& w) {
                         return std::tuple(type_rank(w), w.index.value_or(0), w.name, w.instance);
                       };
                       return key(a) < key(b);
                     });
    m_.index_workers();
    for (std::size_t i = 0; i < m_.workers.size(); ++i) {
      WorkerInfo& w = m_.workers[i];
      for (const int s : w.streams) {
        m_.streams[static_cast<std::size_t>(s)].worker = static_cast<int>(i);
        const std::int64_t source = m_.streams[static_cast<std::size_t>(s)].source_id;
        if (std::find(w.sources.begin(), w.sources.end(), source) == w.sources.end()) {
          w.sources.push_back(source);
        }
      }
    }
  }

  // Chief, or worker 0 (or rank 0) without one: saves, coordinates and lists who is missing.
  void choose_leader() {
    for (const std::string_view name : {"chief-0", "master-0", "worker-0", "rank-0"}) {
      const int at = m_.find_worker(name);
      if (at < 0) continue;
      m_.workers[static_cast<std::size_t>(at)].leader = true;
      return;
    }
  }

  Model& m_;
  const AlignOptions& options_;
  std::vector<Group> groups_;
  std::map<std::string_view, int> logs_called_;  // groups by the stem of their first file
  std::map<std::string, int> last_instance_;     // by name of a worker
};

}  // namespace

void identify_workers(Model& model, const AlignOptions& options) {
  Identifier(model, options).run();
}

}  // namespace tfpm
