#include "align/endings.h"

#include <algorithm>
#include <map>
#include <set>

#include "align/last_markers.h"

namespace tfpm {
namespace {

constexpr std::int64_t kSecond = 1'000'000;
// A SIGTERM this long after the last step still met a stepping task (term_gap of algorithms.md
// section 13).
constexpr std::int64_t kTermGapUs = 2 * kSecond;
constexpr std::int64_t kTermGapSteps = 10;

bool is_any(std::string_view id, std::initializer_list<std::string_view> set) {
  return std::find(set.begin(), set.end(), id) != set.end();
}

bool is_notice(const EventInfo& e) {
  return is_any(e.signature,
                {"sigterm-caught", "absl-sigterm", "preempt-notice", "preempt-notified"});
}

// What the events of one attempt say about its end.
struct Words {
  int fatal = -1;  // fatal traceback or crash, no marker after it
  bool own =
      false;  // its own fault: neither a communication error nor a status that came from elsewhere
  bool communication = false;  // any communication error near the end
  bool lost_peers = false;     // an uncaught exception said so
  int comm_event = -1;         // first of them after the last marker
  int final_word = -1;
  int stop_word = -1;  // says that it stops early
  int notice = -1;     // SIGTERM
  bool stepped_after_notice = false;
};

class EndingJudge {
 public:
  explicit EndingJudge(Model& m) : m_(m) {}

  void run() {
    collect();
    for (std::size_t w = 0; w < m_.workers.size(); ++w) {
      for (std::size_t a = 0; a < m_.workers[w].attempts.size(); ++a) first_pass(w, a);
    }
    note_peers();
    for (std::size_t w = 0; w < m_.workers.size(); ++w) {
      for (AttemptInfo& a : m_.workers[w].attempts) second_pass(m_.workers[w], a);
    }
    for (std::size_t w = 0; w < m_.workers.size(); ++w) {
      for (std::size_t a = 0; a < m_.workers[w].attempts.size(); ++a) set_terminal(w, a);
    }
  }

 private:
  using Key = std::pair<std::size_t, std::size_t>;             // worker, attempt index
  using Failure = std::pair<std::int64_t, const WorkerInfo*>;  // last step, whose

  int attempt_index(const WorkerInfo& w, OptInt n) const {
    for (std::size_t i = 0; i < w.attempts.size(); ++i) {
      if (n && w.attempts[i].n == *n) return static_cast<int>(i);
    }
    return -1;
  }

  // Last marker of every stream and attempt: what follows it belongs to the end.
  void collect() {
    last_marker_ = last_markers(m_);
    for (const EventInfo& e : m_.events) {
      // "aborted by" and the derived mark say that the status came from elsewhere (section 4.4).
      if (is_any(e.signature, {"coll-aborted-by", "derived-mark"})) {
        derived_.insert({e.stream, e.record_line});
      }
    }
    for (const EventInfo& e : m_.events) {
      std::int64_t& last = last_record_[{e.stream, e.attempt.value_or(0)}];
      last = std::max(last, e.record_line);
    }
    for (std::size_t i = 0; i < m_.events.size(); ++i) note(static_cast<int>(i));
    for (const ExitInfo& e : m_.exits) {
      if (!e.task.empty()) continue;
      if (is_any(e.what, {"cancelled", "time-limit", "preempted"})) scheduler_ended_job_ = true;
      if (e.what == "terminating") terminating_ = true;
    }
  }

  bool after_last_marker(const EventInfo& e) const {
    const auto it = last_marker_.find({e.stream, e.attempt.value_or(0)});
    return it == last_marker_.end() || e.seq > it->second;
  }

  // A bare traceback behind which its process wrote nothing more, whatever frame it begins with: a
  // main() or a child process printed it.
  bool is_last_word(const EventInfo& e) const {
    const auto last = last_record_.find({e.stream, e.attempt.value_or(0)});
    return e.severity == "none" && e.has("exception") && last != last_record_.end() &&
           last->second == e.record_line;
  }

  // Steps behind a line were written before it where they reached the file late.
  bool is_buffered(const EventInfo& e) const {
    return !m_.streams[static_cast<std::size_t>(e.stream)].buffered.empty();
  }

  void note(int index) {
    EventInfo& e = m_.events[static_cast<std::size_t>(index)];
    if (e.worker < 0) return;
    const int at = attempt_index(m_.workers[static_cast<std::size_t>(e.worker)], e.attempt);
    if (at < 0) return;
    Words& words = words_[{static_cast<std::size_t>(e.worker), static_cast<std::size_t>(at)}];
    const bool at_end = after_last_marker(e) || (e.tells_end() && is_buffered(e));
    e.outcome = at_end ? "unresolved" : "progressed_after";
    if (is_notice(e)) {
      words.notice = index;
      if (!at_end) words.stepped_after_notice = true;
    }
    if (!at_end) return;
    if (e.tells_end()) words.final_word = index;
    if (e.signature == "prog-early-stop") words.stop_word = index;
    const bool communication = e.capture("communication") == "1";
    if (communication) {
      words.communication = true;
      if (words.comm_event < 0) words.comm_event = index;
    }
    const bool uncaught = e.kind == "traceback" && (e.capture("fatal") == "1" || is_last_word(e));
    if (!uncaught && e.kind != "crash") return;
    const bool handed_on =
        communication || derived_.find({e.stream, e.record_line}) != derived_.end();
    if (e.kind == "traceback" && handed_on) words.lost_peers = true;
    // An interpreter that nobody's exception left alive may crash while it is taken down.
    const bool own = e.kind == "crash" ? !words.lost_peers : !handed_on;
    if (e.kind == "crash" && !own) return;
    // An own fault is not displaced by the communication errors of the tear-down that follows it.
    if (words.own && !own) return;
    words.fatal = index;
    words.own = own;
  }

  const Words& words(std::size_t w, std::size_t a) { return words_[{w, a}]; }

  bool at_frontier(const AttemptInfo& a) const {
    const GenerationInfo& g = m_.generations[static_cast<std::size_t>(a.generation)];
    if (!a.last_step || !g.frontier) return true;  // servers and evaluators count no steps
    return *a.last_step >= *g.frontier;
  }

  // SIGTERM while the task was stepping.
  bool told_while_stepping(const AttemptInfo& a, const Words& words) const {
    if (words.notice < 0 || a.alive_at_deadline || scheduler_ended_job_) return false;
    if (words.stepped_after_notice) return true;
    const EventInfo& notice = m_.events[static_cast<std::size_t>(words.notice)];
    if (!a.last_marker_us || !notice.time_us) return false;
    const GenerationInfo& g = m_.generations[static_cast<std::size_t>(a.generation)];
    const std::int64_t limit = std::max(kTermGapUs, kTermGapSteps * g.step_us.value_or(0));
    const std::int64_t gap = *notice.time_us - *a.last_marker_us;
    return gap >= 0 && gap < limit;
  }

  // What can be told from the task alone.
  void first_pass(std::size_t wi, std::size_t ai) {
    WorkerInfo& w = m_.workers[wi];
    AttemptInfo& a = w.attempts[ai];
    const Words& said = words(wi, ai);
    const bool has_log = w.has_log && (a.first_seq.has_value() || w.attempts.size() == 1);
    // The rows of the table in their order: two rows may give one ending.
    if (said.own) {
      a.ending = Ending::kCrashed;
    } else if (a.exit_code == 0 || (said.final_word >= 0 && said.fatal < 0)) {
      // Left early is told apart when the peers' ends are known.
      a.ending = Ending::kFinished;
    } else if (told_while_stepping(a, said)) {
      a.ending = Ending::kToldToGo;
    } else if (said.communication || said.fatal >= 0) {
      a.ending = Ending::kVictim;
    } else if (a.alive_at_deadline || scheduler_ended_job_ || said.notice >= 0) {
      a.ending = Ending::kCleanedUp;
    } else if (!has_log) {
      a.ending = Ending::kAbsent;
    } else if (a.exit_code && *a.exit_code >= 1 && *a.exit_code <= 127) {
      a.ending = Ending::kCut;
    } else if (a.exit_code && (*a.exit_code == 134 || *a.exit_code == 139)) {
      a.ending = Ending::kCrashed;
    } else {
      a.ending = Ending::kSilent;
    }
  }

  // A victim whose last step tells whether a peer left before it.
  bool fails_behind(const WorkerInfo& w, const AttemptInfo& a) {
    return w.trains() && a.ending == Ending::kVictim && a.exit_code != 0 && has_fatal(w, a);
  }

  // What the second pass asks of all others, found once: it changes nobody into a crash or out of
  // one, and keeps failures_ up to date itself.
  void note_peers() {
    for (const WorkerInfo& w : m_.workers) {
      for (const AttemptInfo& a : w.attempts) {
        if (w.leader) leaders_.emplace(a.generation, &a);
        if (a.ending == Ending::kCrashed) crashed_[a.generation].insert(&w);
        if (fails_behind(w, a)) failures_[a.generation].insert(failure(w, a));
      }
    }
  }

  void second_pass(const WorkerInfo& w, AttemptInfo& a) {
    const bool before = fails_behind(w, a);
    judge_with_peers(w, a);
    const bool after = fails_behind(w, a);
    if (before == after) return;
    std::multiset<Failure>& failures = failures_[a.generation];
    if (after) {
      failures.insert(failure(w, a));
    } else {
      failures.erase(failures.find(failure(w, a)));
    }
  }

  static Failure failure(const WorkerInfo& w, const AttemptInfo& a) {
    return {a.last_step.value_or(0), &w};
  }

  // Somebody else crashed by itself in that generation.
  bool peer_crashed(const WorkerInfo& w, const AttemptInfo& a) const {
    const auto it = crashed_.find(a.generation);
    if (it == crashed_.end()) return false;
    return it->second.size() > it->second.count(&w);
  }

  // Somebody else became a victim at or behind the last step of this run.
  bool peer_fails_behind(const WorkerInfo& w, const AttemptInfo& a) const {
    const auto it = failures_.find(a.generation);
    if (it == failures_.end()) return false;
    const auto last = std::find_if(it->second.rbegin(), it->second.rend(),
                                   [&](const Failure& f) { return f.second != &w; });
    return last != it->second.rend() && last->first >= a.last_step.value_or(0);
  }

  // What needs the others' ends: excused by the leader's end, left early.
  void judge_with_peers(const WorkerInfo& w, AttemptInfo& a) {
    const auto led = leaders_.find(a.generation);
    const AttemptInfo* leader = led == leaders_.end() ? nullptr : led->second;
    const bool leader_finished =
        leader != nullptr && leader->ending == Ending::kFinished && !w.leader;
    if (leader_finished && a.ending != Ending::kFinished && a.ending != Ending::kCrashed &&
        ends_with_leader(a, *leader)) {
      a.ending = Ending::kExcused;
      return;
    }
    // A launcher that kills the rest after the first bad exit: only when somebody did fail by
    // itself.
    const bool crashed_peer = terminating_ && peer_crashed(w, a);
    const Words& said = words_[key_of(w, a)];
    if (a.ending == Ending::kSilent && crashed_peer) a.ending = Ending::kCleanedUp;
    // Its SIGTERM then is the launcher's hand, too (G7).
    if (a.ending == Ending::kToldToGo && crashed_peer && !said.stepped_after_notice) {
      a.ending = said.communication ? Ending::kVictim : Ending::kCleanedUp;
    }
    // Without an exit record a last line that says "stopping" stands for exit 0.
    const bool says_stop =
        a.ending == Ending::kSilent && !a.exit_code && words_[key_of(w, a)].stop_word >= 0;
    if ((a.ending != Ending::kFinished && !says_stop) || !w.trains()) return;
    if (a.last_step && peer_fails_behind(w, a)) a.ending = Ending::kLeftEarly;
  }

  Key key_of(const WorkerInfo& w, const AttemptInfo& a) const {
    return {static_cast<std::size_t>(&w - m_.workers.data()),
            static_cast<std::size_t>(&a - w.attempts.data())};
  }

  bool has_fatal(const WorkerInfo& w, const AttemptInfo& a) {
    return words_[key_of(w, a)].fatal >= 0;
  }

  // 137, 143 or no record, at or after the leader's own end.
  static bool ends_with_leader(const AttemptInfo& a, const AttemptInfo& leader) {
    const bool killed = !a.exit_code || *a.exit_code == 137 || *a.exit_code == 143;
    const bool later =
        a.exit_order < 0 || leader.exit_order < 0 || a.exit_order > leader.exit_order;
    return killed && later;
  }

  void set_terminal(std::size_t wi, std::size_t ai) {
    WorkerInfo& w = m_.workers[wi];
    AttemptInfo& a = w.attempts[ai];
    const Words& said = words(wi, ai);
    a.terminal_event = said.fatal >= 0 ? said.fatal : said.comm_event;
    if (a.ending == Ending::kFinished && said.final_word >= 0) a.terminal_event = said.final_word;
    if (a.ending == Ending::kToldToGo) a.terminal_event = said.notice;
    if (a.terminal_event >= 0) {
      m_.events[static_cast<std::size_t>(a.terminal_event)].outcome = "terminal";
    }
    a.terminal = terminal_word(w, a, said);
  }

  std::string terminal_word(const WorkerInfo& w, const AttemptInfo& a, const Words& said) const {
    if (a.ending == Ending::kFinished) return a.exit_code ? "exit0" : "finished";
    if (said.fatal >= 0) {
      return m_.events[static_cast<std::size_t>(said.fatal)].kind == "crash" ? "signal"
                                                                             : "traceback";
    }
    if (a.exit_code == 0) return "exit0";
    if (a.exit_code && *a.exit_code > 128) return "signal";
    if (a.exit_code) return "exit";
    if (a.alive_at_deadline) return "running";
    return w.has_log ? "silent" : "absent";
  }

  Model& m_;
  std::map<Key, Words> words_;
  std::map<std::pair<int, std::int64_t>, std::int64_t> last_marker_;  // (stream, attempt) -> seq
  std::map<std::pair<int, std::int64_t>, std::int64_t> last_record_;  // ... -> first line
  std::set<std::pair<int, std::int64_t>> derived_;                    // (stream, record line)
  std::map<std::int64_t, const AttemptInfo*> leaders_;                // by generation, the first
  std::map<std::int64_t, std::set<const WorkerInfo*>> crashed_;       // by generation
  std::map<std::int64_t, std::multiset<Failure>> failures_;           // by generation
  bool scheduler_ended_job_ = false;
  bool terminating_ = false;
};

}  // namespace

void judge_endings(Model& model) {
  EndingJudge(model).run();
}

}  // namespace tfpm
