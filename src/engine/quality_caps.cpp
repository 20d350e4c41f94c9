#include "engine/quality_caps.h"

#include "engine/class_ids.h"

namespace tfpm {

void cap_by_quality(const std::vector<Claim>& claims, std::vector<Hypothesis>& hypotheses) {
  for (const Claim& claim : claims) {
    if (claim.failure_class != "data-quality" || claim.confidence_cap.empty()) continue;
    for (Hypothesis& h : hypotheses) {
      if (is_remark(h.failure_class) || h.confidence_cap == "hypothesis") continue;
      if (claim.generation && *claim.generation != h.generation) continue;
      h.confidence_cap = claim.confidence_cap;
    }
  }
}

}  // namespace tfpm
