#include "engine/hypothesis.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "engine/class_ids.h"
#include "engine/thresholds.h"

namespace tfpm {
namespace {

// What makes claims one hypothesis. Causes do not separate: the strongest claim's cause is taken.
struct Key {
  std::int64_t generation = 0;
  std::string failure_class;
  std::string group;
  bool operator<(const Key& other) const {
    return std::tie(generation, failure_class, group) <
           std::tie(other.generation, other.failure_class, other.group);
  }
};

Key key_of(const Claim& c, const JobFacts& facts) {
  Key key;
  key.generation = c.generation.value_or(facts.last_generation);
  key.failure_class = c.failure_class;
  if (!c.group_key.empty()) {
    key.group = "g:" + c.group_key;
  } else {
    key.group = c.worker ? "w:" + std::to_string(*c.worker) : "";
  }
  return key;
}

class Builder {
 public:
  Builder(const std::vector<Claim>& claims, const JobFacts& facts, const ClassTable& classes)
      : claims_(claims), facts_(facts), classes_(classes) {}

  std::vector<Hypothesis> build() {
    for (std::size_t i = 0; i < claims_.size(); ++i) {
      const Claim& c = claims_[i];
      if (!c.failure_class.empty()) {
        add(i);
      } else if (c.worker) {
        support_[*c.worker].push_back(i);
      }
    }
    join_unnamed();
    for (auto& [key, h] : by_key_) {
      add_support(h);
      score(h);
      place(h);
    }
    std::vector<Hypothesis> out;
    for (auto& [key, h] : by_key_) out.push_back(std::move(h));
    replace_general(out);
    merge_twins(out);
    for (std::size_t i = 0; i < out.size(); ++i) out[i].id = static_cast<std::int64_t>(i) + 1;
    return out;
  }

 private:
  void add(std::size_t index) {
    const Claim& c = claims_[index];
    const Key key = key_of(c, facts_);
    Hypothesis& h = by_key_[key];
    h.failure_class = c.failure_class;
    h.generation = key.generation;
    h.items.push_back({index, 0, {}});
    if (!c.worker) return;
    const auto at = std::lower_bound(h.workers.begin(), h.workers.end(), *c.worker);
    if (at == h.workers.end() || *at != *c.worker) h.workers.insert(at, *c.worker);
  }

  // Evidence of the same class that names nobody (a reduced loss) speaks for the one task that
  // other evidence names; it must not stand against it as a rival.
  void join_unnamed() {
    for (auto it = by_key_.begin(); it != by_key_.end();) {
      Hypothesis* named = it->second.workers.empty() ? only_named_like(it->second) : nullptr;
      if (named == nullptr) {
        ++it;
        continue;
      }
      named->items.insert(named->items.end(), it->second.items.begin(), it->second.items.end());
      it = by_key_.erase(it);
    }
  }

  Hypothesis* only_named_like(const Hypothesis& unnamed) {
    Hypothesis* found = nullptr;
    for (auto& [key, h] : by_key_) {
      if (h.failure_class != unnamed.failure_class || h.generation != unnamed.generation) continue;
      if (h.workers.empty()) continue;
      if (found != nullptr) return nullptr;
      found = &h;
    }
    return found;
  }

  // Witnesses, exits and lists about the worker support what ended its process, nothing else.
  void add_support(Hypothesis& h) const {
    const auto info = classes_.find(h.failure_class);
    if (info == classes_.end() || !info->second.ends_process || h.workers.size() != 1) return;
    const auto support = support_.find(h.workers.front());
    if (support == support_.end()) return;
    for (const std::size_t i : support->second) {
      const Claim& c = claims_[i];
      // A start-up fault makes its task write communication errors too: that exonerates nobody
      // there.
      if (info->second.starts_up && c.weight_db < 0) continue;
      if (c.generation.value_or(facts_.last_generation) == h.generation) {
        h.items.push_back({i, 0, {}});
      }
    }
  }

  // One vote per kind: the strongest of each counts, capped.
  void score(Hypothesis& h) const {
    std::map<std::string, std::size_t> best;  // kind -> index into items
    for (std::size_t i = 0; i < h.items.size(); ++i) {
      const Claim& c = claims_[h.items[i].claim];
      const auto [it, fresh] = best.emplace(c.kind, i);
      if (fresh) continue;
      if (std::fabs(c.weight_db) > std::fabs(claims_[h.items[it->second].claim].weight_db)) {
        it->second = i;
      }
    }
    for (std::size_t i = 0; i < h.items.size(); ++i) {
      Item& item = h.items[i];
      const Claim& c = claims_[item.claim];
      cap(h, c.confidence_cap);
      if (best.at(c.kind) != i) {
        item.gate = kOneVoteGate;
        continue;
      }
      item.counted_db = std::clamp(c.weight_db, -threshold::kKindCapDb, threshold::kKindCapDb);
      if (c.weight_db != item.counted_db) item.gate = "cap";
    }
    gate_g5(h);
    sum(h);
  }

  void sum(Hypothesis& h) const {
    double strongest = -1;
    bool only_remains = true;
    for (const Item& item : h.items) {
      const Claim& c = claims_[item.claim];
      h.score_db += item.counted_db;
      h.best_item_db = std::max(h.best_item_db, item.counted_db);
      if (item.counted_db >= threshold::kAnswerSecondItemDb) ++h.items_over_10;
      if (c.failure_class.empty()) continue;
      if (c.kind.rfind("remains-", 0) != 0) only_remains = false;
      if (!c.cause.empty() && item.counted_db > strongest) {
        strongest = item.counted_db;
        h.cause = c.cause;
      }
    }
    const auto info = classes_.find(h.failure_class);
    h.remains =
        only_remains || (info != classes_.end() && info->second.stage == ClassStage::kRemains);
  }

  static void cap(Hypothesis& h, const std::string& word) {
    if (word == "hypothesis" || (word == "supported" && h.confidence_cap.empty())) {
      h.confidence_cap = word;
    }
  }

  // G5: "its log ends early" needs an independent kind about the same worker.
  void gate_g5(Hypothesis& h) const {
    const bool corroborated = std::any_of(h.items.begin(), h.items.end(), [&](const Item& item) {
      return claims_[item.claim].kind != "ends-early" &&
             item.counted_db >= threshold::kCorroborationDb;
    });
    if (corroborated) return;
    for (Item& item : h.items) {
      if (claims_[item.claim].kind != "ends-early" ||
          item.counted_db <= threshold::kUncorroboratedDb)
        continue;
      item.counted_db = threshold::kUncorroboratedDb;
      item.gate = "G5";
    }
  }

  // Step of a hypothesis: what its strongest claim says, else the origin's last completed step + 1
  // (section 1.2).
  void place(Hypothesis& h) const {
    if (is_remark(h.failure_class)) return;  // about the evidence as a whole
    double best = -1;
    for (const Item& item : h.items) {
      const Claim& c = claims_[item.claim];
      if (!c.step_lo || c.failure_class.empty() || item.counted_db <= best) continue;
      best = item.counted_db;
      h.step_lo = c.step_lo;
      h.step_hi = c.step_hi ? c.step_hi : c.step_lo;
    }
    const auto info = classes_.find(h.failure_class);
    const bool starts_up = info != classes_.end() && info->second.starts_up;
    if (!facts_.steps_numbered || (starts_up && best < 0)) {
      h.step_lo.reset();
      h.step_hi.reset();
      return;
    }
    if (best >= 0) return;
    OptInt last;
    bool alone = false;  // training on its own pace, it tells nothing of where it was
    for (const std::int64_t w : h.workers) {
      const RunInfo* run = facts_.run(w, h.generation);
      if (run == nullptr) continue;
      if (run->last_step) last = std::max(last.value_or(0), *run->last_step);
      alone = alone || (!facts_.synchronous && run->trains);
    }
    const auto steps = facts_.steps.find(h.generation);
    if (steps == facts_.steps.end()) return;
    if (!last && !alone) last = steps->second.frontier;
    if (!last) return;
    const bool lower = facts_.edge_unknown || !facts_.synchronous;
    h.step_lo = *last + (lower ? 0 : 1);
    h.step_hi = *last + steps->second.granularity;
  }

  // The same fault with the same cause on several tasks at one step, told by their own words, is
  // one failure of all of them (scenario A4): not two rivals.
  void merge_twins(std::vector<Hypothesis>& all) const {
    std::map<Likeness, std::vector<std::size_t>> alike;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (may_be_twin(all[i])) alike[likeness(all[i])].push_back(i);
    }
    std::vector<bool> merged(all.size(), false);
    for (const auto& [key, members] : alike) merge_alike(all, members, merged);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (merged[i]) continue;
      if (kept != i) all[kept] = std::move(all[i]);
      ++kept;
    }
    all.resize(kept);
  }

  // What twins have in common: class, cause, generation, first step.
  using Likeness = std::tuple<std::string, std::string, std::int64_t, OptInt>;
  static Likeness likeness(const Hypothesis& h) {
    return {h.failure_class, h.cause, h.generation, h.step_lo};
  }
  static bool may_be_twin(const Hypothesis& h) {
    return !h.workers.empty() && h.may_answer() && h.failure_class != "undetermined";
  }

  // Compared by what names the class: who was accused or exited first says nothing between twins.
  void merge_alike(std::vector<Hypothesis>& all, const std::vector<std::size_t>& members,
                   std::vector<bool>& merged) const {
    std::vector<double> own;
    for (const std::size_t i : members) own.push_back(own_db(all[i]));
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (merged[members[i]]) continue;
      Hypothesis& a = all[members[i]];
      for (std::size_t j = i + 1; j < members.size(); ++j) {
        if (merged[members[j]] || std::fabs(own[i] - own[j]) >= threshold::kTwinsDb) continue;
        Hypothesis& b = all[members[j]];
        if (b.score_db > a.score_db) {
          std::swap(a, b);
          std::swap(own[i], own[j]);
        }
        a.workers.insert(a.workers.end(), b.workers.begin(), b.workers.end());
        // The twin's claims are cited; only one task's count.
        for (const Item& item : b.items) {
          a.items.push_back({item.claim, 0, std::string(kTwinGate)});
        }
        merged[members[j]] = true;
      }
      std::sort(a.workers.begin(), a.workers.end());
    }
  }

  double own_db(const Hypothesis& h) const {
    double sum = 0;
    for (const Item& item : h.items) {
      if (!claims_[item.claim].failure_class.empty()) sum += item.counted_db;
    }
    return sum;
  }

  // Hypotheses of one class and generation by the workers they name; under 0 those that name
  // nobody.
  using Named = std::map<std::int64_t, std::vector<std::size_t>>;

  // G9: on one worker (or when the specific one names nobody) the hypothesis that explains more
  // stays; what the other stands on becomes symptom.
  void replace_general(std::vector<Hypothesis>& all) const {
    std::map<std::pair<std::int64_t, std::string>, Named> index;
    for (std::size_t i = 0; i < all.size(); ++i) {
      Named& named = index[{all[i].generation, all[i].failure_class}];
      if (all[i].workers.empty()) named[0].push_back(i);
      for (const std::int64_t w : all[i].workers) named[w].push_back(i);
    }
    for (const Hypothesis& specific : all) {
      const auto info = classes_.find(specific.failure_class);
      if (info == classes_.end() || !specific.may_answer()) continue;
      for (const std::string& general : info->second.replaces) {
        const auto found = index.find({specific.generation, general});
        if (found == index.end()) continue;
        for (const std::size_t i : about_same_worker(found->second, specific)) {
          if (&all[i] == &specific || !same_time(specific, all[i])) continue;
          all[i].replaced = true;
          all[i].role = "rejected";
          all[i].why = "replaced by the more specific " + specific.failure_class + " (G9)";
        }
      }
    }
  }

  static std::set<std::size_t> about_same_worker(const Named& named, const Hypothesis& specific) {
    std::set<std::size_t> out;
    const auto add = [&](const std::vector<std::size_t>& list) {
      out.insert(list.begin(), list.end());
    };
    if (specific.workers.empty()) {
      for (const auto& [worker, list] : named) add(list);
      return out;
    }
    if (const auto it = named.find(0); it != named.end()) add(it->second);
    for (const std::int64_t w : specific.workers) {
      if (const auto it = named.find(w); it != named.end()) add(it->second);
    }
    return out;
  }

  // "At one step": a start-up fault explains only a task that never stepped, others what lies
  // within one step of them.
  bool same_time(const Hypothesis& specific, const Hypothesis& general) const {
    const auto info = classes_.find(specific.failure_class);
    if (info != classes_.end() && info->second.starts_up) {
      return std::none_of(general.workers.begin(), general.workers.end(), [&](std::int64_t w) {
        const RunInfo* run = facts_.run(w, general.generation);
        return run != nullptr && run->last_step.has_value();
      });
    }
    if (!specific.step_lo || !general.step_lo) return true;
    return *specific.step_lo <= general.step_hi.value_or(*general.step_lo) + 1 &&
           *general.step_lo <= specific.step_hi.value_or(*specific.step_lo) + 1;
  }

  const std::vector<Claim>& claims_;
  const JobFacts& facts_;
  const ClassTable& classes_;
  std::map<Key, Hypothesis> by_key_;
  std::map<std::int64_t, std::vector<std::size_t>> support_;  // claims without a class, by worker
};

}  // namespace

std::vector<Hypothesis> build_hypotheses(const std::vector<Claim>& claims, const JobFacts& facts,
                                         const ClassTable& classes) {
  return Builder(claims, facts, classes).build();
}

}  // namespace tfpm
