#include "align/loss_agreement.h"

#include <cmath>
#include <map>

namespace tfpm {
namespace {

constexpr double kReduced = 0.9, kLocal = 0.5;
constexpr std::size_t kEnough = 5;  // steps of the last run that tell without those before it

// By attempt and step.
constexpr unsigned kStepBits = 44;

struct Shared {
  std::size_t steps = 0, equal = 0;
};

}  // namespace

void LossAgreement::add(std::int64_t task, const std::vector<MarkerRow>& rows) {
  if (!tasks_.insert(task).second) return;
  for (const MarkerRow& row : rows) {
    if (!row.loss || !std::isfinite(*row.loss)) continue;
    const auto step = static_cast<std::uint64_t>(std::llround(row.step));
    Step& known = steps_[(static_cast<std::uint64_t>(row.attempt) << kStepBits) ^ step];
    if (known.tasks == 0) known.loss = *row.loss;
    known.equal = known.equal && known.loss == *row.loss;
    ++known.tasks;
  }
}

std::string LossAgreement::mode() const {
  std::map<std::uint64_t, Shared> by_attempt;
  Shared all;
  for (const auto& [key, step] : steps_) {
    if (step.tasks < 2) continue;
    for (Shared* s : {&by_attempt[key >> kStepBits], &all}) {
      ++s->steps;
      s->equal += step.equal ? 1 : 0;
    }
  }
  if (all.steps == 0) return "unknown";
  const Shared& last = by_attempt.rbegin()->second;
  const Shared& told = last.steps >= kEnough ? last : all;
  const double share = static_cast<double>(told.equal) / static_cast<double>(told.steps);
  if (share >= kReduced) return "reduced";
  return share <= kLocal ? "local" : "unknown";
}

}  // namespace tfpm
