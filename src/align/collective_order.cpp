#include "align/collective_order.h"

#include <algorithm>

namespace tfpm {
namespace {

// First printed step of each training task by generation; tasks that begin at other numbers than
// their peers run the same collectives under other names.
std::vector<char> generations_in_step(const Model& m) {
  std::vector<OptInt> lowest(m.generations.size());
  std::vector<OptInt> highest(m.generations.size());
  for (const WorkerInfo& w : m.workers) {
    if (!w.trains()) continue;
    for (const AttemptInfo& a : w.attempts) {
      const auto g = static_cast<std::size_t>(a.generation);
      if (!a.first_step || a.generation < 0 || g >= lowest.size()) continue;
      lowest[g] = std::min(lowest[g].value_or(*a.first_step), *a.first_step);
      highest[g] = std::max(highest[g].value_or(*a.first_step), *a.first_step);
    }
  }
  std::vector<char> out(m.generations.size(), 0);
  for (std::size_t g = 0; g < out.size(); ++g) {
    const bool same = lowest[g] && *highest[g] - *lowest[g] <= m.generations[g].granularity;
    out[g] = m.synchronous && m.unit == "step" && same ? 1 : 0;
  }
  return out;
}

}  // namespace

bool happened_before(const CollectivePlace& a, const CollectivePlace& b) {
  return a.enter_next && b.exits && *b.exits >= *a.enter_next;
}

CollectiveOrder::CollectiveOrder(const Model& model)
    : model_(model), common_(generations_in_step(model)) {}

bool CollectiveOrder::is_common(std::int64_t generation) const {
  return generation >= 0 && static_cast<std::size_t>(generation) < common_.size() &&
         common_[static_cast<std::size_t>(generation)] != 0;
}

CollectivePlace CollectiveOrder::place(int stream, std::int64_t seq, OptInt attempt,
                                       OptInt generation) const {
  CollectivePlace out;
  if (stream < 0 || !generation || !is_common(*generation)) return out;
  const int worker = model_.streams[static_cast<std::size_t>(stream)].worker;
  if (worker < 0 || !model_.workers[static_cast<std::size_t>(worker)].trains()) return out;
  const std::span<const MarkerInfo> markers = model_.markers_of(stream);
  const auto after =
      std::upper_bound(markers.begin(), markers.end(), seq,
                       [](std::int64_t at, const MarkerInfo& k) { return at < k.seq; });
  // A marker that opens its step says that the one before is complete.
  const std::int64_t late = model_.opens_steps(stream) ? 1 : 0;
  const auto ours = [&](const MarkerInfo& k) { return k.attempt == attempt; };
  if (after != markers.begin() && ours(*(after - 1))) out.exits = (after - 1)->step - late;
  if (after == markers.end() || !ours(*after)) return out;
  // The record stands before the completion of the next printed step. It may already have entered
  // that step, the one behind it certainly not.
  const std::int64_t completed_next = after->step - late;
  const auto behind = after + 1;
  if (behind != markers.end() && ours(*behind) && behind->step - late > completed_next) {
    out.enter_next = completed_next + 1;
  }
  return out;
}

}  // namespace tfpm
