#include "align/marker_choice.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "align/epoch_size.h"
#include "align/marker_score.h"
#include "base/parallel.h"

namespace tfpm {
namespace {

constexpr std::uint64_t kMinRecords = 8, kMinRecordsNamed = 4;
constexpr double kAgree = 0.8;
constexpr std::size_t kShownRejected = 2;
constexpr double kDeclaredScore = 100;      // more than anything learned can reach
constexpr std::size_t kStreamsAtOnce = 32;  // whose points are held while they are counted

using Values = std::set<std::int64_t>;

struct Candidate {
  FamilyPick pick;
  bool eligible = false;
  std::uint64_t first_seq = 0, last_seq = 0;
};

double agreement(const Family& family, const Values& values) {
  std::size_t agree = 0;
  for (const FamilyPoint& p : family.points) agree += values.count(std::llround(p.count));
  return static_cast<double>(agree) / static_cast<double>(family.points.size());
}

class Chooser {
 public:
  Chooser(const std::vector<JudgedStream>& streams, CountedUnit unit, unsigned threads)
      : streams_(streams),
        unit_(unit),
        threads_(threads),
        outlines_(streams.size()),
        candidates_(streams.size()) {}

  // False when no stream has a family that qualifies.
  bool run(MarkerChoice& out) {
    share_counts();
    parallel_for(streams_.size(), threads_,
                 [&](std::size_t i) { candidates_[i] = judge_stream(i); });
    if (!pick_per_task()) return false;
    if (some_task_lacks()) {
      collect_values();
      for (std::size_t i = 0; i < streams_.size(); ++i) add_agreeing(i);
    }
    out.unit = unit_;
    for (auto& list : candidates_) show(list, out);
    return true;
  }

 private:
  // The families of a stream. Which slots belong together is found out once; the points of all
  // streams would be too much to keep.
  std::vector<Family> families_of(std::size_t index) {
    const NamedStream& named = streams_[index].named;
    std::optional<std::vector<Outline>>& known = outlines_[index];
    std::vector<Family> families;
    if (known) {
      for (const Outline& o : *known)
        families.push_back(family_of_members(named, o.key, o.members));
      return families;
    }
    families = find_families(named, unit_);
    known.emplace();
    for (const Family& f : families) known->push_back({f.key, f.members});
    return families;
  }

  void share_counts() {
    std::set<std::int64_t> tasks;
    for (std::size_t from = 0; from < streams_.size(); from += kStreamsAtOnce) {
      const std::size_t count = std::min(kStreamsAtOnce, streams_.size() - from);
      std::vector<std::vector<Family>> families(count);
      parallel_for(count, threads_, [&](std::size_t i) {
        if (streams_[from + i].training) families[i] = families_of(from + i);
      });
      for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t task = streams_[from + i].task;
        for (const Family& f : families[i]) shared_.add(task, f);
        if (!families[i].empty()) tasks.insert(task);
      }
    }
    shared_.finish(tasks.size());
  }

  std::vector<Candidate> judge_stream(std::size_t index) {
    const NamedStream& named = streams_[index].named;
    // Few epochs, each closed by its number of steps: the lines say all that more would.
    const bool closed = unit_ == CountedUnit::kEpoch && closing_epoch_size(named);
    std::vector<Candidate> list;
    for (const Family& f : families_of(index)) {
      Candidate c;
      c.pick = {index, f.key, f.members, 0, f.records, false, f.motion.wraps, false};
      std::uint64_t least = kMinRecordsNamed;
      bool meaningful = true;
      if (unit_ == CountedUnit::kStep) {
        const StepScore score = score_family(named, f, shared_);
        c.pick.score = score.points;
        c.pick.named_steps = score.step_word;
        meaningful = score.meaningful();
        if (!score.step_word && !score.seed) least = kMinRecords;
      } else {
        c.pick.score = score_unit(named, f, shared_);
        if (closed) least = 2;
      }
      c.first_seq = f.points.front().seq;
      c.last_seq = f.points.back().seq;
      const std::uint64_t records = std::max(f.records, shared_.agreeing_records(f.key));
      const bool enough = records >= least && f.motion.longest_attempt >= 2;
      c.eligible = meaningful && enough;
      list.push_back(std::move(c));
    }
    punish_startup(list);
    for (Candidate& c : list) c.eligible = c.eligible && c.pick.score >= kMinScore;
    return list;
  }

  // Numbers printed only before another candidate's first record belong to the start-up.
  static void punish_startup(std::vector<Candidate>& list) {
    std::vector<double> penalty(list.size(), 0);
    for (std::size_t i = 0; i < list.size(); ++i)
      for (const Candidate& other : list)
        if (other.eligible && other.pick.score >= kMinScore && list[i].last_seq < other.first_seq)
          penalty[i] = kStartupPenalty;
    for (std::size_t i = 0; i < list.size(); ++i) list[i].pick.score -= penalty[i];
  }

  static bool better(const Candidate& a, const Candidate& b) {
    if (a.pick.score != b.pick.score) return a.pick.score > b.pick.score;
    return a.pick.records > b.pick.records;
  }

  // The best family of each task, over all its streams.
  bool pick_per_task() {
    std::map<std::int64_t, Candidate*> best;
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      for (Candidate& c : candidates_[i]) {
        if (!c.eligible) continue;
        Candidate*& known = best[streams_[i].task];
        if (known == nullptr || better(c, *known)) known = &c;
      }
    }
    for (const auto& [task, candidate] : best) task_keys_[task] = candidate->pick.key;
    choose_task_keys();
    return !best.empty();
  }

  // One task counts its steps by one family, whichever of its streams (stdout beside stderr,
  // rotated files) prints it.
  void choose_task_keys() {
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      const auto key = task_keys_.find(streams_[i].task);
      if (key == task_keys_.end()) continue;
      for (Candidate& c : candidates_[i])
        if (c.pick.key == key->second) c.pick.chosen = true;
    }
  }

  bool some_task_lacks() const {
    return std::any_of(streams_.begin(), streams_.end(), [&](const JudgedStream& s) {
      return s.training && task_keys_.count(s.task) == 0;
    });
  }

  bool has_choice(std::size_t index) const {
    const auto& list = candidates_[index];
    return std::any_of(list.begin(), list.end(), [](const Candidate& c) { return c.pick.chosen; });
  }

  void collect_values() {
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      if (!has_choice(i)) continue;
      for (const Family& f : families_of(i)) {
        const bool chosen =
            std::any_of(candidates_[i].begin(), candidates_[i].end(),
                        [&](const Candidate& c) { return c.pick.chosen && c.pick.key == f.key; });
        if (!chosen) continue;
        for (const FamilyPoint& p : f.points) values_.insert(std::llround(p.count));
        keys_.insert(f.key);
      }
    }
  }

  // Whether the counts lie among those of the job.
  bool within_values(const Family& family) const {
    return !values_.empty() && family.motion.bottom >= static_cast<double>(*values_.begin()) &&
           family.motion.top <= static_cast<double>(*values_.rbegin());
  }

  // A task without markers, of too few records to stand alone, takes its best candidate if that
  // prints the job's values. Where tasks step at their own pace they need not meet: there the job's
  // own form with a step word is enough.
  void add_agreeing(std::size_t index) {
    if (task_keys_.count(streams_[index].task) != 0 || !streams_[index].training) return;
    const std::vector<Family> families = families_of(index);
    Candidate* best = nullptr;
    for (Candidate& c : candidates_[index]) {
      const auto family = std::find_if(families.begin(), families.end(),
                                       [&](const Family& f) { return f.key == c.pick.key; });
      const bool same_form = keys_.count(c.pick.key) != 0;
      if (family == families.end() || family->auxiliary) continue;
      if (!same_form && c.pick.score < kMinScore - 3) continue;
      const bool named_alike = same_form && c.pick.named_steps && within_values(*family);
      if (!named_alike && agreement(*family, values_) < kAgree) continue;
      if (best == nullptr || better(c, *best)) best = &c;
    }
    if (best != nullptr) best->pick.chosen = true;
  }

  // Chosen ones, and the best rejected ones for whoever asks why.
  static void show(std::vector<Candidate>& list, MarkerChoice& out) {
    std::stable_sort(list.begin(), list.end(), [](const Candidate& a, const Candidate& b) {
      if (a.pick.chosen != b.pick.chosen) return a.pick.chosen;
      return better(a, b);
    });
    std::size_t rejected = 0;
    for (Candidate& c : list) {
      if (!c.pick.chosen && (++rejected > kShownRejected || c.pick.score <= 0)) continue;
      out.picks.push_back(std::move(c.pick));
    }
  }

  struct Outline {
    std::string key;
    std::vector<FamilyMember> members;
  };

  const std::vector<JudgedStream>& streams_;
  CountedUnit unit_;
  unsigned threads_;
  std::vector<std::optional<std::vector<Outline>>> outlines_;  // by stream
  SharedCounts shared_;
  std::vector<std::vector<Candidate>> candidates_;
  std::map<std::int64_t, std::string> task_keys_;  // what each task counts by
  Values values_;
  std::set<std::string> keys_;
};

}  // namespace

MarkerChoice choose_declared(const std::vector<JudgedStream>& streams,
                             const DeclaredMarkers& declared) {
  MarkerChoice choice;
  if (declared.empty()) return choice;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    const auto family = declared.find(streams[i].named);
    if (family)
      choice.picks.push_back({i, family->key, family->members, kDeclaredScore, family->records,
                              true, family->motion.wraps, true});
  }
  return choice;
}

MarkerChoice choose_families(const std::vector<JudgedStream>& streams, unsigned threads) {
  MarkerChoice choice;
  for (const CountedUnit unit : {CountedUnit::kStep, CountedUnit::kSamples, CountedUnit::kTokens,
                                 CountedUnit::kPercent, CountedUnit::kEpoch})
    if (Chooser(streams, unit, threads).run(choice)) return choice;
  return choice;
}

}  // namespace tfpm
