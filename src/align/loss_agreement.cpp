#include "align/loss_agreement.h"

#include <cmath>

namespace tfpm {
namespace {

constexpr double kReduced = 0.9, kLocal = 0.5;

}  // namespace

void LossAgreement::add(std::int64_t task, const std::vector<MarkerRow>& rows) {
  if (!tasks_.insert(task).second) return;
  for (const MarkerRow& row : rows) {
    if (!row.loss || !std::isfinite(*row.loss)) continue;
    const auto step = static_cast<std::uint64_t>(std::llround(row.step));
    Step& known = steps_[(static_cast<std::uint64_t>(row.attempt) << 44U) ^ step];
    if (known.tasks == 0) known.loss = *row.loss;
    known.equal = known.equal && known.loss == *row.loss;
    ++known.tasks;
  }
}

std::string LossAgreement::mode() const {
  std::size_t shared = 0, equal = 0;
  for (const auto& [key, step] : steps_) {
    if (step.tasks < 2) continue;
    ++shared;
    equal += step.equal ? 1 : 0;
  }
  if (shared == 0) return "unknown";
  const double share = static_cast<double>(equal) / static_cast<double>(shared);
  if (share >= kReduced) return "reduced";
  return share <= kLocal ? "local" : "unknown";
}

}  // namespace tfpm
