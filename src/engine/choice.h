// Which hypothesis is the verdict, and how sure (algorithms.md section 4.6, "Choosing the
// verdict").
#pragma once

#include <string>
#include <vector>

#include "engine/hypothesis.h"

namespace tfpm {

enum class VerdictStatus { kExplained, kUndetermined, kHealthy };

struct Choice {
  VerdictStatus status = VerdictStatus::kUndetermined;
  int root = -1;   // index of the hypothesis the verdict is about; -1 = none
  int rival = -1;  // the hypothesis the margin was taken against; -1 = none
  double margin_db = 0;
  std::string confidence = "hypothesis";
  std::int64_t generation = 0;
  std::vector<int> tied;  // undetermined: hypotheses within the margin
};

// Sets the roles of the hypotheses.
Choice choose_verdict(std::vector<Hypothesis>& hypotheses, const JobFacts& facts,
                      const ClassTable& classes);

// How the last generation ended, for `healthy`.
struct GenerationEnd {
  bool well = false;     // every task finished, was excused, or nothing says otherwise
  bool shown = false;    // exits or final words say so
  bool any_end = false;  // some task finished or was excused
  bool failed = false;   // some task crashed, fell victim, was silent after others went on, ...
};
GenerationEnd how_it_ended(const JobFacts& facts, std::int64_t generation);

}  // namespace tfpm
