#include "align/step_cost.h"

#include <algorithm>

#include "store/row_writer.h"

namespace tfpm {
namespace {

constexpr double kOwnShare = 0.15;           // own_step: of the interval
constexpr std::int64_t kOwnFloorUs = 5'000;  // own_step
constexpr std::int64_t kMinSteps = 10;

using Times = std::map<int, std::pair<std::int64_t, OptInt>>;  // worker -> own time, stamp
using Steps = std::map<std::int64_t, Times>;                   // step -> times

// Median of what is left of `sorted` without the element at `gone`; at least two elements.
std::int64_t median_without(const std::vector<std::int64_t>& sorted, std::size_t gone) {
  const std::size_t middle = (sorted.size() - 1) / 2;
  return sorted[middle < gone ? middle : middle + 1];
}

std::int64_t median(std::vector<std::int64_t> v) {
  const auto mid = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  std::nth_element(v.begin(), mid, v.end());
  return *mid;
}

// The marker interval common to all tasks; without stamps the longest own time stands for it. No
// step is shorter than that: lines that were collected in blocks only look so.
std::int64_t interval(const Times& now, const Times* before) {
  std::vector<std::int64_t> gaps;
  std::int64_t longest = 0;
  for (const auto& [w, t] : now) {
    longest = std::max(longest, t.first);
    if (before == nullptr || !t.second) continue;
    const auto prev = before->find(w);
    if (prev != before->end() && prev->second.second)
      gaps.push_back(*t.second - *prev->second.second);
  }
  return gaps.empty() ? longest : std::max(median(gaps), std::max<std::int64_t>(longest, 1));
}

struct Sums {
  double excess = 0;
  std::int64_t counted = 0;
  std::vector<std::int64_t> own, peers;
};

std::vector<StepCost> costs_of(const Steps& steps, std::int64_t generation) {
  std::map<int, Sums> sums;
  double total = 0;
  std::int64_t compared = 0;
  const Times* before = nullptr;
  for (const auto& [step, times] : steps) {
    const Times* previous = before;
    before = &times;
    // The first step traces and compiles.
    if (previous == nullptr || times.size() < 2) continue;
    const std::int64_t delta = interval(times, previous);
    total += static_cast<double>(delta);
    ++compared;
    std::vector<std::int64_t> sorted;
    for (const auto& [w, t] : times) sorted.push_back(t.first);
    std::sort(sorted.begin(), sorted.end());
    for (const auto& [w, t] : times) {
      const auto own = std::lower_bound(sorted.begin(), sorted.end(), t.first);
      const std::int64_t peer =
          median_without(sorted, static_cast<std::size_t>(own - sorted.begin()));
      const std::int64_t e = peer - t.first;
      Sums& s = sums[w];
      s.own.push_back(t.first);
      s.peers.push_back(peer);
      if (e <= kOwnFloorUs || static_cast<double>(e) <= kOwnShare * static_cast<double>(delta))
        continue;
      s.excess += static_cast<double>(e);
      ++s.counted;
    }
  }
  std::vector<StepCost> out;
  if (compared < kMinSteps || total <= 0) return out;
  for (const auto& [w, s] : sums) {
    StepCost c;
    c.worker = w;
    c.generation = generation;
    c.cost = s.excess / total;
    c.share = static_cast<double>(s.counted) / static_cast<double>(compared);
    c.steps = compared;
    c.own_us = median(s.own);
    c.peer_us = median(s.peers);
    out.push_back(c);
  }
  // The worst of the others: the worst of all, or for that one the second.
  double worst = 0;
  double second = 0;
  for (const StepCost& c : out) {
    second = std::max(second, std::min(worst, c.cost));
    worst = std::max(worst, c.cost);
  }
  for (StepCost& c : out) c.next_cost = c.cost < worst ? worst : second;
  return out;
}

}  // namespace

std::vector<StepCost> find_step_costs(const Model& m) {
  std::vector<StepCost> out;
  if (!m.synchronous) return out;
  std::map<std::int64_t, Steps> by_generation;
  for (const MarkerInfo& k : m.markers) {
    const int w = m.streams[static_cast<std::size_t>(k.stream)].worker;
    if (w < 0 || !k.generation || k.superseded || !k.step_time_us) continue;
    if (!m.workers[static_cast<std::size_t>(w)].trains()) continue;
    by_generation[*k.generation][k.step][w] = {*k.step_time_us, k.time_us};
  }
  for (const auto& [generation, steps] : by_generation) {
    for (const StepCost& c : costs_of(steps, generation)) out.push_back(c);
  }
  return out;
}

Status store_step_costs(Database& db, const std::vector<StepCost>& costs) {
  RowWriter rows(db);
  for (const StepCost& c : costs) {
    const Row row{"straggler_cost",
                  {{"worker_id", std::int64_t{c.worker} + 1},
                   {"generation", c.generation},
                   {"cost", c.cost},
                   {"next_cost", c.next_cost},
                   {"share", c.share},
                   {"steps", c.steps},
                   {"own_us", c.own_us},
                   {"peer_us", c.peer_us}}};
    TFPM_RETURN_IF_ERROR(rows.write(row).status());
  }
  return ok_status();
}

}  // namespace tfpm
