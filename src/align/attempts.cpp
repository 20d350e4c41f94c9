#include "align/attempts.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <span>

namespace tfpm {
namespace {

// The stream that shows the most attempts, else the longest: attempts are numbered by it.
const StreamInfo* main_stream(const Model& m, const WorkerInfo& w) {
  const StreamInfo* best = nullptr;
  for (const int i : w.streams) {
    const StreamInfo& s = m.streams[static_cast<std::size_t>(i)];
    const auto key = [](const StreamInfo& t) {
      return std::pair(t.attempt_starts.size(), t.records);
    };
    if (best == nullptr || key(s) > key(*best)) best = &s;
  }
  return best;
}

// Starts as the log shows them; the first attempt begins at 0 whatever the first banner's offset.
std::vector<std::int64_t> log_starts(const StreamInfo* s) {
  std::vector<std::int64_t> starts;
  if (s == nullptr) return starts;
  starts.push_back(0);
  for (std::size_t i = 1; i < s->attempt_starts.size(); ++i) {
    starts.push_back(static_cast<std::int64_t>(s->attempt_starts[i]));
  }
  return starts;
}

using Launched = std::map<std::string_view, std::set<std::int64_t>>;

// Launchers' numbers of runs, by task.
Launched launched_attempts(const Model& m) {
  Launched out;
  for (const ExitInfo& e : m.exits) {
    if (e.task.empty() || (e.what != "started" && e.what != "exited")) continue;
    out[e.task].insert(e.attempt.value_or(0));
  }
  return out;
}

// Those of a worker, ascending; empty without a launcher.
std::vector<std::int64_t> attempts_of(const Launched& launched, const WorkerInfo& w) {
  const auto it = launched.find(w.name);
  if (it == launched.end() || w.instance != 0) return {};
  return {it->second.begin(), it->second.end()};
}

// Numbers of `count` runs. A launcher that counts from 0 has seen them all; one that is known from
// a later number on (its log begins late) numbers the last runs, and the earlier ones count down
// from there.
std::vector<std::int64_t> run_numbers(std::size_t count,
                                      const std::vector<std::int64_t>& launched) {
  std::vector<std::int64_t> out(count);
  const auto shift = static_cast<std::int64_t>(count - launched.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::int64_t>(i) - shift;
    if (launched.empty()) {
      out[i] = static_cast<std::int64_t>(i);
    } else if (at >= 0) {
      out[i] = launched[static_cast<std::size_t>(at)];
    } else {
      out[i] = launched.front() + at;
    }
  }
  return out;
}

void make_attempts(const Model& m, const Launched& all, WorkerInfo& w) {
  const StreamInfo* s = main_stream(m, w);
  std::vector<std::int64_t> starts = log_starts(s);
  const bool by_step = s != nullptr && s->starts_by_step;
  const std::vector<std::int64_t> launched = attempts_of(all, w);
  // Launcher lines win (section 1.5): what looks like more starts in the log were none.
  const bool all_launched = !launched.empty() && launched.front() == 0;
  if (all_launched && starts.size() > launched.size()) {
    starts.erase(starts.begin() + 1,
                 starts.begin() + 1 + static_cast<std::ptrdiff_t>(starts.size() - launched.size()));
  }
  std::size_t count = std::max({starts.size(), launched.size(), std::size_t{1}});
  const bool below_zero =
      !launched.empty() && launched.front() < static_cast<std::int64_t>(count - launched.size());
  if (below_zero) count = launched.size() + static_cast<std::size_t>(launched.front());
  const std::vector<std::int64_t> numbers = run_numbers(count, launched);
  if (starts.size() > count) starts.resize(count);
  // A log that shows fewer runs than the launcher started belongs to the last ones.
  const std::size_t skip = count - std::min(count, starts.size());
  for (std::size_t i = 0; i < count; ++i) {
    AttemptInfo a;
    a.n = numbers[i];
    a.launched = std::find(launched.begin(), launched.end(), a.n) != launched.end();
    a.basis = a.launched ? "launcher" : i == 0 ? "log" : by_step ? "step-reset" : "new-thread-id";
    if (i >= skip) {
      a.first_seq = starts[i - skip];
      if (i - skip + 1 < starts.size()) a.last_seq = starts[i - skip + 1] - 1;
    }
    w.attempts.push_back(a);
  }
}

// A generation opens when the leader restarts, or most tasks do; a lone restart only adds an
// attempt.
void number_generations(Model& m) {
  std::size_t most = 1;
  for (const WorkerInfo& w : m.workers) most = std::max(most, w.attempts.size());
  std::vector<std::int64_t> generation_of(most, 0);
  std::int64_t generation = 0;
  for (std::size_t i = 1; i < most; ++i) {
    std::size_t have = 0;
    std::size_t all = 0;
    bool leader_restarts = false;
    for (const WorkerInfo& w : m.workers) {
      if (!w.has_log && w.attempts.size() == 1 && !w.attempts[0].launched) continue;
      ++all;
      if (w.attempts.size() > i) ++have;
      if (w.leader && w.attempts.size() > i) leader_restarts = true;
    }
    if (leader_restarts || 2 * have > all) ++generation;
    generation_of[i] = generation;
  }
  m.generations.assign(static_cast<std::size_t>(generation) + 1, {});
  for (WorkerInfo& w : m.workers) {
    for (std::size_t i = 0; i < w.attempts.size(); ++i) w.attempts[i].generation = generation_of[i];
  }
}

AttemptInfo* attempt_of(WorkerInfo& w, OptInt n) {
  if (w.attempts.empty()) return nullptr;
  if (!n) return &w.attempts.back();
  for (AttemptInfo& a : w.attempts) {
    if (a.n == *n) return &a;
  }
  return nullptr;
}

void join_exits(Model& m) {
  std::map<std::int64_t, std::int64_t> order;  // per launcher source
  const ExitOwners owners(m);
  for (const ExitInfo& e : m.exits) {
    const int at = owners.worker_of(e);
    if (at < 0) continue;
    WorkerInfo& w = m.workers[static_cast<std::size_t>(at)];
    AttemptInfo* a = attempt_of(w, e.attempt);
    if (a == nullptr) continue;
    if (e.what == "started") {
      a->pid = e.pid;
    } else if (e.what == "deadline") {
      a->alive_at_deadline = true;
    } else if (e.what == "exited") {
      a->exit_recorded = true;
      if (!a->exit_code) a->exit_code = e.exit_code;
      if (!a->exit_us) a->exit_us = e.time_us;
      if (a->exit_order < 0) a->exit_order = order[e.source_id]++;
    }
  }
}

// Texts of a process that starts up.
bool is_start_up(std::string_view signature) {
  constexpr std::string_view ids[] = {"b-absl-init",    "b-cuda-cpuonly",   "b-cpu-features",
                                      "server-started", "coord-init",       "coord-agent-connected",
                                      "mwms-config",    "mirrored-devices", "prog-replicas",
                                      "ckpt-restored",  "saver-restore",    "est-lifecycle"};
  return std::find(std::begin(ids), std::end(ids), signature) != std::end(ids);
}

// Out of order, not again: its stamp is older as well.
bool is_late_line(const MarkerInfo& before, const MarkerInfo& k) {
  return before.time_us && k.time_us && *k.time_us < *before.time_us;
}

// Start-up texts of each stream, in order of place.
std::map<int, std::vector<const EventInfo*>> start_up_texts(const Model& m) {
  std::map<int, std::vector<const EventInfo*>> out;
  for (const EventInfo& e : m.events) {
    if (e.stream >= 0 && is_start_up(e.signature)) out[e.stream].push_back(&e);
  }
  for (auto& [stream, texts] : out) {
    std::stable_sort(texts.begin(), texts.end(),
                     [](const EventInfo* a, const EventInfo* b) { return a->seq < b->seq; });
  }
  return out;
}

// Start-up texts between two places of a stream.
struct StartUp {
  OptInt first;         // where they begin
  bool server = false;  // a server was opened: a process does that once
};

StartUp start_up_between(const std::vector<const EventInfo*>& texts, std::int64_t after,
                         std::int64_t before) {
  StartUp out;
  auto it = std::upper_bound(texts.begin(), texts.end(), after,
                             [](std::int64_t seq, const EventInfo* e) { return seq < e->seq; });
  for (; it != texts.end() && (*it)->seq < before; ++it) {
    if (!out.first) out.first = (*it)->seq;
    out.server = out.server || (*it)->signature == "server-started";
  }
  return out;
}

}  // namespace

ExitOwners::ExitOwners(const Model& m) : m_(m) {
  for (const StreamInfo& s : m.streams) {
    if (s.worker >= 0 && !s.tag.empty()) by_tag_.emplace(s.tag, s.worker);
  }
  for (std::size_t i = 0; i < m.workers.size(); ++i) {
    const auto [it, fresh] = by_host_.emplace(m.workers[i].host, static_cast<int>(i));
    if (!fresh) it->second = -1;
  }
}

int ExitOwners::worker_of(const ExitInfo& e) const {
  if (!e.task.empty()) return m_.find_worker(e.task);
  if (e.rank) {
    const std::string rank = std::to_string(*e.rank);
    const auto it = by_tag_.find(rank);
    return it != by_tag_.end() ? it->second : m_.find_worker("rank-" + rank);
  }
  if (e.host.empty()) return -1;
  const auto it = by_host_.find(e.host);
  return it == by_host_.end() ? -1 : it->second;
}

void find_restarts_by_step(Model& m) {
  const auto texts = start_up_texts(m);
  const std::vector<const EventInfo*> none;
  for (std::size_t stream = 0; stream < m.streams.size(); ++stream) {
    StreamInfo& s = m.streams[stream];
    const std::span<const MarkerInfo> run = m.markers_of(static_cast<int>(stream));
    if (s.attempt_starts.size() > 1) continue;  // process ids tell
    const auto found = texts.find(static_cast<int>(stream));
    const auto& own_texts = found == texts.end() ? none : found->second;
    std::int64_t period = 1;
    for (std::size_t i = 1; i <= run.size(); ++i) {
      const bool tail = i == run.size();
      const std::int64_t end = tail ? std::numeric_limits<std::int64_t>::max() : run[i].seq;
      const StartUp start = start_up_between(own_texts, run[i - 1].seq, end);
      const std::int64_t gap = tail ? 0 : run[i].step - run[i - 1].step;
      if (gap > 0) period = gap;
      const bool back = !tail && gap <= 0 && -gap >= period && run[i].step + 1 < run[i - 1].step &&
                        !is_late_line(run[i - 1], run[i]);
      // The new process begins at its first start-up text behind the last step of the old one, else
      // at its first step.
      if (back || start.server) {
        s.starts_by_step = s.starts_by_step || !start.first;
        s.attempt_starts.push_back(static_cast<std::uint64_t>(start.first.value_or(end)));
      }
    }
  }
}

int attempt_at(const WorkerInfo& w, const StreamInfo& stream, std::int64_t seq) {
  if (w.attempts.empty()) return -1;
  // Offsets are comparable only inside the stream whose starts made the attempts; other streams use
  // their own.
  const std::size_t own = std::max<std::size_t>(stream.attempt_starts.size(), 1);
  std::size_t run = 0;
  for (std::size_t i = 1; i < stream.attempt_starts.size(); ++i) {
    if (seq >= static_cast<std::int64_t>(stream.attempt_starts[i])) run = i;
  }
  const std::size_t skip = w.attempts.size() - std::min(w.attempts.size(), own);
  return static_cast<int>(std::min(w.attempts.size() - 1, skip + run));
}

void split_attempts(Model& m) {
  const Launched launched = launched_attempts(m);
  for (WorkerInfo& w : m.workers) make_attempts(m, launched, w);
  number_generations(m);
  join_exits(m);
  for (EventInfo& e : m.events) {
    if (e.stream < 0) continue;
    const StreamInfo& s = m.streams[static_cast<std::size_t>(e.stream)];
    e.worker = s.worker;
    if (e.worker < 0) continue;
    const WorkerInfo& w = m.workers[static_cast<std::size_t>(e.worker)];
    const int at = attempt_at(w, s, e.seq);
    if (at < 0) continue;
    e.attempt = w.attempts[static_cast<std::size_t>(at)].n;
    e.generation = w.attempts[static_cast<std::size_t>(at)].generation;
  }
}

void find_lost_steps(Model& m) {
  for (WorkerInfo& w : m.workers) {
    OptInt reached;
    for (AttemptInfo& a : w.attempts) {
      if (reached && a.restored_step) {
        a.lost_steps = std::max<std::int64_t>(0, *reached - *a.restored_step);
      }
      if (a.last_step) reached = std::max(reached.value_or(*a.last_step), *a.last_step);
    }
  }
}

}  // namespace tfpm
