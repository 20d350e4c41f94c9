#include "engine/choice.h"

#include <algorithm>
#include <limits>

#include "engine/class_ids.h"
#include "engine/thresholds.h"

namespace tfpm {
namespace {

constexpr std::int64_t kStartUp = -1;

// Start-up comes before every step; no step known counts as just behind the frontier.
std::int64_t onset(const Hypothesis& h, const JobFacts& facts, const ClassTable& classes) {
  const auto info = classes.find(h.failure_class);
  if (info != classes.end() && info->second.starts_up) return kStartUp;
  if (h.step_lo) return *h.step_lo;
  const auto steps = facts.steps.find(h.generation);
  if (steps == facts.steps.end() || !steps->second.frontier) return kStartUp;
  return *steps->second.frontier + 1;
}

bool same_workers(const Hypothesis& a, const Hypothesis& b) {
  return a.workers == b.workers;
}

class Chooser {
 public:
  Chooser(std::vector<Hypothesis>& all, const JobFacts& facts, const ClassTable& classes)
      : all_(all), facts_(facts), classes_(classes) {}

  Choice run() {
    const std::int64_t last = facts_.last_generation;
    const GenerationEnd end = how_it_ended(facts_, last);
    failed_ = end.failed;
    ended_ = end.well || facts_.runs.empty();
    if (pick(last, false) || pick(last, true)) return finish(last);
    // Only when the last generation shows neither failure nor end, the failure before it is the
    // verdict (G6), unless that was another launch's: it has nothing to do with this one.
    const bool ended = end.well && end.any_end;
    const bool may_look_back = !ended && !end.failed && last > 0 && !facts_.older_launch(last - 1);
    if (may_look_back && pick(last - 1, false)) return finish(last - 1);
    choice_.generation = last;
    if (end.well) {
      choice_.status = VerdictStatus::kHealthy;
      choice_.confidence = end.shown && facts_.unseen.empty() ? "established" : "supported";
    } else {
      best_guess(last);
    }
    assign_roles();
    return choice_;
  }

 private:
  bool competes(const Hypothesis& h, std::int64_t generation, bool remains) const {
    if (remains && failed_ && damage(h)) return false;
    return h.generation == generation && h.remains == remains && !h.replaced && h.score_db > 0;
  }

  // Damage that nothing restored from does not explain why a generation failed: it is a finding. A
  // performance cause may, so those are told apart by their class.
  bool damage(const Hypothesis& h) const {
    const auto info = classes_.find(h.failure_class);
    return info == classes_.end() || info->second.stage != ClassStage::kRemains;
  }

  // Chooses among one generation's answers; false when there is none.
  bool pick(std::int64_t generation, bool remains) {
    std::int64_t earliest = std::numeric_limits<std::int64_t>::max();
    for (const Hypothesis& h : all_) {
      if (competes(h, generation, remains) && h.may_answer()) {
        earliest = std::min(earliest, onset(h, facts_, classes_));
      }
    }
    if (earliest == std::numeric_limits<std::int64_t>::max()) return false;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const Hypothesis& h = all_[i];
      if (!competes(h, generation, remains) || !h.may_answer()) continue;
      if (!in_window(h, earliest)) continue;
      const bool better = choice_.root < 0 || h.score_db > at(choice_.root).score_db;
      if (better) choice_.root = static_cast<int>(i);
    }
    window_ = earliest;
    remains_ = remains;
    return true;
  }

  bool in_window(const Hypothesis& h, std::int64_t earliest) const {
    const std::int64_t o = onset(h, facts_, classes_);
    return earliest == kStartUp ? o == kStartUp : o <= earliest + 1;
  }

  Hypothesis& at(int i) { return all_[static_cast<std::size_t>(i)]; }

  Choice finish(std::int64_t generation) {
    choice_.generation = generation;
    const Hypothesis& root = at(choice_.root);
    double rival_score = 0;  // a lone hypothesis has its margin against "undetermined" at 0 dB
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const Hypothesis& h = all_[i];
      if (static_cast<int>(i) == choice_.root || !competes(h, generation, remains_)) continue;
      if (same_workers(h, root) || !in_window(h, window_)) continue;
      if (h.score_db > rival_score) {
        rival_score = h.score_db;
        choice_.rival = static_cast<int>(i);
      }
    }
    choice_.margin_db = root.score_db - rival_score;
    // A task whose last words are missing is named, not explained.
    if (choice_.margin_db < threshold::kAnswerMarginDb || root.failure_class == "undetermined") {
      choice_.status = VerdictStatus::kUndetermined;
      for (std::size_t i = 0; i < all_.size(); ++i) {
        if (competes(all_[i], generation, remains_) &&
            all_[i].score_db > root.score_db - threshold::kAnswerMarginDb) {
          choice_.tied.push_back(static_cast<int>(i));
        }
      }
    } else {
      choice_.status = VerdictStatus::kExplained;
      choice_.confidence =
          choice_.margin_db >= threshold::kEstablishedMarginDb ? "established" : "supported";
      if (root.confidence_cap == "hypothesis") choice_.confidence = "hypothesis";
      // Damage is the verdict when nothing else failed: a word for what is known of the end.
      const bool capped =
          root.confidence_cap == "supported" || (remains_ && damage(root) && !ended_);
      if (capped && choice_.confidence == "established") choice_.confidence = "supported";
    }
    assign_roles();
    return choice_;
  }

  // Undetermined: the best hypothesis is still named when it has 10 dB.
  void best_guess(std::int64_t generation) {
    choice_.status = VerdictStatus::kUndetermined;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const Hypothesis& h = all_[i];
      if (h.generation != generation || h.replaced || h.remains) continue;
      if (h.score_db < threshold::kNameOnlyDb) continue;
      if (choice_.root < 0 || h.score_db > at(choice_.root).score_db) {
        choice_.root = static_cast<int>(i);
      }
    }
    if (choice_.root < 0) return;
    const double best = at(choice_.root).score_db;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const Hypothesis& h = all_[i];
      const bool close = h.generation == generation && !h.replaced && !h.remains &&
                         h.score_db > best - threshold::kAnswerMarginDb &&
                         h.score_db >= threshold::kNameOnlyDb;
      if (close) choice_.tied.push_back(static_cast<int>(i));
    }
  }

  void assign_roles() {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      Hypothesis& h = all_[i];
      if (h.replaced) continue;
      if (static_cast<int>(i) == choice_.root && choice_.status == VerdictStatus::kExplained) {
        h.role = "root";
      } else if (is_remark(h.failure_class)) {
        h.role = "benign";
      } else if (facts_.older_launch(h.generation)) {
        h.role = "benign";
        h.why = "of an earlier launch, whose output the logs begin with";
      } else if (h.score_db == 0) {
        h.role = "contributing";  // a remark with a class, by its rule's own word
      } else if (h.may_answer()) {
        h.role = h.remains ? "contributing" : "independent";
      } else {
        h.role = "rejected";
        if (h.why.empty()) h.why = "no item of 20 dB and no two of 10 dB about its origin";
      }
    }
  }

  std::vector<Hypothesis>& all_;
  const JobFacts& facts_;
  const ClassTable& classes_;
  Choice choice_;
  std::int64_t window_ = 0;
  bool remains_ = false;
  bool failed_ = false;  // the last generation, whatever of it is explained
  bool ended_ = false;   // it is known to have ended well, or there was no run
};

}  // namespace

GenerationEnd how_it_ended(const JobFacts& facts, std::int64_t generation) {
  GenerationEnd end;
  bool any = false;
  bool all_well = true;
  bool all_quiet = true;
  bool shown = true;
  const auto steps = facts.steps.find(generation);
  const OptInt frontier = steps == facts.steps.end() ? OptInt() : steps->second.frontier;
  for (const RunInfo& r : facts.runs) {
    if (r.generation != generation) continue;
    any = true;
    const bool well = r.ending == "finished" || r.ending == "excused";
    const bool quiet = r.ending == "silent" && r.last_step && frontier &&
                       *r.last_step == *frontier && !r.error_at_end;
    const bool unknown = r.ending == "absent" && !r.exit_code;
    if (well) end.any_end = true;
    if (!well && !unknown) all_well = false;
    if (!well && !unknown && !quiet) all_quiet = false;
    if (!well) shown = false;
    if (!well && !unknown && !quiet) end.failed = true;
  }
  end.well = any && (all_well || all_quiet);
  // Without one task that is known to have got somewhere nothing can be called healthy.
  if (!frontier && !shown) end.well = false;
  end.shown = end.well && shown;
  return end;
}

Choice choose_verdict(std::vector<Hypothesis>& hypotheses, const JobFacts& facts,
                      const ClassTable& classes) {
  return Chooser(hypotheses, facts, classes).run();
}

}  // namespace tfpm
