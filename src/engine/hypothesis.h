// Hypotheses: claims about one failure put together, gated and scored in decibans (algorithms.md
// section 4.6).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/claim.h"
#include "engine/class_table.h"
#include "engine/job_facts.h"
#include "engine/thresholds.h"

namespace tfpm {

// A claim as it counts in one hypothesis.
struct Item {
  std::size_t claim = 0;  // index into the claim list
  double counted_db = 0;  // after the vote rule, caps and gates
  std::string gate;       // what changed it; empty = nothing
};

// Item::gate of a claim about another task with the same fault.
inline constexpr std::string_view kTwinGate = "the same on another task";
// And of one beside a stronger one of its kind.
inline constexpr std::string_view kOneVoteGate = "one vote per kind";

struct Hypothesis {
  std::int64_t id = 0;
  std::string failure_class, cause;
  std::int64_t generation = 0;
  std::vector<std::int64_t> workers;  // worker.id, ascending; empty names nobody
  OptInt step_lo, step_hi;
  double score_db = 0;
  double best_item_db = 0;
  int items_over_10 = 0;
  std::string confidence_cap;
  std::string role = "rejected";
  std::string why;  // why it was replaced or rejected
  std::string
      input_file;  // the file that a read hung or failed on (input_file.h); empty = not known
  std::vector<Item> items;
  bool replaced = false;
  bool remains = false;  // competes only when no failure stands (ClassStage::kRemains, damage
                         // nothing restored)

  // algorithms.md section 4.6: one positive item of 20 dB or two of 10 dB.
  bool may_answer() const {
    return !replaced && (best_item_db >= threshold::kAnswerItemDb ||
                         items_over_10 >= threshold::kAnswerSecondItems);
  }
};

// Groups claims into hypotheses, applies the vote rule, caps and gates G5 and G9.
std::vector<Hypothesis> build_hypotheses(const std::vector<Claim>& claims, const JobFacts& facts,
                                         const ClassTable& classes);

}  // namespace tfpm
