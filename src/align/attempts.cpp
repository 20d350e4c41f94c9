#include "align/attempts.h"

#include <algorithm>
#include <map>
#include <set>

#include "align/older_runs.h"

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

// Numbers of `count` runs. A launcher numbers the last runs, and the earlier ones count down from
// there: its log may begin late, or the task's log with runs of an earlier launch.
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

void make_attempts(Model& m, const Launched& all, const OlderRuns& older, WorkerInfo& w) {
  const std::vector<std::int64_t> launched = attempts_of(all, w);
  // Launcher lines win (section 1.5): what looks like more starts in the log were none, unless the
  // log was appended to and begins with runs of an earlier launch. Those count down from -1.
  const bool all_launched = !launched.empty() && launched.front() == 0;
  if (all_launched) older.keep_real_starts(m, w, launched.size());
  const StreamInfo* s = main_stream(m, w);
  std::vector<std::int64_t> starts = log_starts(s);
  const bool by_step = s != nullptr && s->starts_by_step;
  std::size_t count = std::max({starts.size(), launched.size(), std::size_t{1}});
  const bool below_zero = !all_launched && !launched.empty() &&
                          launched.front() < static_cast<std::int64_t>(count - launched.size());
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

// Runs of an earlier launch that stand in a worker's log.
std::size_t older_runs(const WorkerInfo& w) {
  return static_cast<std::size_t>(std::count_if(w.attempts.begin(), w.attempts.end(),
                                                [](const AttemptInfo& a) { return a.n < 0; }));
}

// Others name it; it missed whatever the last run was.
bool left_nothing(const WorkerInfo& w) {
  return !w.has_log && w.attempts.size() == 1 && !w.attempts[0].launched;
}

// A generation opens when the leader restarts, or most tasks do; a lone restart only adds an
// attempt. Where logs begin with runs of an earlier launch, a log without such runs has its first
// with the launch.
void number_generations(Model& m) {
  std::size_t older = 0;
  for (const WorkerInfo& w : m.workers) older = std::max(older, older_runs(w));
  std::vector<std::size_t> shift;  // of each worker's attempts
  std::size_t most = 1;
  for (const WorkerInfo& w : m.workers) {
    const bool launched = w.attempts.back().launched;
    const std::size_t before = launched ? older_runs(w) : w.attempts.size() - 1;
    shift.push_back(older - std::min(older, before));
    most = std::max(most, w.attempts.size() + shift.back());
  }
  for (std::size_t at = 0; at < m.workers.size(); ++at) {
    if (left_nothing(m.workers[at])) shift[at] = most - 1;
  }
  std::vector<std::int64_t> generation_of(most, 0);
  std::int64_t generation = 0;
  for (std::size_t i = 1; i < most; ++i) {
    std::size_t have = 0;
    std::size_t all = 0;
    bool leader_restarts = false;
    for (std::size_t at = 0; at < m.workers.size(); ++at) {
      const WorkerInfo& w = m.workers[at];
      if (left_nothing(w)) continue;
      const bool reaches = w.attempts.size() + shift[at] > i;
      ++all;
      if (reaches) ++have;
      if (w.leader && reaches) leader_restarts = true;
    }
    if (leader_restarts || 2 * have > all) ++generation;
    generation_of[i] = generation;
  }
  m.generations.assign(static_cast<std::size_t>(generation) + 1, {});
  for (std::size_t at = 0; at < m.workers.size(); ++at) {
    WorkerInfo& w = m.workers[at];
    for (std::size_t i = 0; i < w.attempts.size(); ++i) {
      w.attempts[i].generation = generation_of[i + shift[at]];
    }
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

// A file tells what a task was started with last; what a run printed holds until the task runs
// again and says it anew.
void supersede_configs(Model& m) {
  const std::int64_t last = m.last_generation();
  std::vector<std::pair<int, std::int64_t>> said;  // of each: whose, and of which generation
  std::map<int, std::int64_t> newest;
  for (const TfConfigInfo& c : m.tf_configs) {
    int worker = m.find_worker(c.owner);
    std::int64_t generation = last;
    if (c.stream >= 0) {
      const StreamInfo& s = m.streams[static_cast<std::size_t>(c.stream)];
      worker = s.worker;
      if (worker >= 0) {
        const WorkerInfo& w = m.workers[static_cast<std::size_t>(worker)];
        const int at = attempt_at(w, s, c.seq);
        if (at >= 0) generation = w.attempts[static_cast<std::size_t>(at)].generation;
      }
    }
    said.emplace_back(worker, generation);
    const auto [it, fresh] = newest.emplace(worker, generation);
    if (!fresh) it->second = std::max(it->second, generation);
  }
  for (std::size_t i = 0; i < said.size(); ++i) {
    const auto [worker, generation] = said[i];
    m.tf_configs[i].superseded = worker >= 0 && generation < newest[worker];
  }
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
  const OlderRuns older(m);
  for (WorkerInfo& w : m.workers) make_attempts(m, launched, older, w);
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
  supersede_configs(m);
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
