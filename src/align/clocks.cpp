#include "align/clocks.h"

#include <algorithm>
#include <cmath>

namespace tfpm {
namespace {

// Below this many shared steps only "class D" is said.
constexpr std::size_t kMinShared = 1;
constexpr double kMadScale = 1.4826;

double median(std::vector<double>& v) {
  const auto mid = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  std::nth_element(v.begin(), mid, v.end());
  return *mid;
}

// (generation, step) -> stamps of the workers that printed it, relative to the first stamp seen:
// doubles then hold microseconds exactly over centuries.
using StepStamps = std::map<std::pair<std::int64_t, std::int64_t>, std::map<int, double>>;

StepStamps collect(const Model& m, std::int64_t base) {
  StepStamps out;
  for (const MarkerInfo& k : m.markers) {
    const int w = m.streams[static_cast<std::size_t>(k.stream)].worker;
    if (w < 0 || !k.time_us || !k.generation || k.superseded) continue;
    if (!m.workers[static_cast<std::size_t>(w)].trains()) continue;
    out[{*k.generation, k.step}].emplace(w, static_cast<double>(*k.time_us - base));
  }
  return out;
}

std::string clock_class(double sigma_us, std::size_t n) {
  if (n < 3) return "C";
  if (sigma_us <= 5e3) return "A";
  if (sigma_us <= 1e5) return "B";
  return sigma_us <= 2e6 ? "C" : "D";
}

}  // namespace

void fit_clocks(Model& m) {
  std::int64_t base = 0;
  for (const MarkerInfo& k : m.markers) {
    if (k.time_us) {
      base = *k.time_us;
      break;
    }
  }
  const StepStamps steps = collect(m, base);
  std::map<int, std::vector<double>>
      deviations;  // worker -> stamp minus the median of all at each shared step
  for (const auto& [step, stamps] : steps) {
    if (stamps.size() < 2) continue;
    std::vector<double> all;
    for (const auto& [w, t] : stamps) all.push_back(t);
    const double reference = median(all);
    for (const auto& [w, t] : stamps) deviations[w].push_back(t - reference);
  }
  std::map<int, double> offset;
  for (auto& [w, d] : deviations) {
    if (d.size() >= kMinShared) offset[w] = median(d);
  }
  double gauge = 0;
  for (const auto& [w, o] : offset) {
    if (m.workers[static_cast<std::size_t>(w)].leader) gauge = o;
  }
  for (auto& [w, d] : deviations) {
    WorkerInfo& worker = m.workers[static_cast<std::size_t>(w)];
    std::vector<double> residuals;
    for (const double x : d) residuals.push_back(std::fabs(x - offset[w]));
    const double sigma = kMadScale * median(residuals);
    worker.clock_offset_us = offset[w] - gauge;
    worker.clock_error_us = 1.25 * sigma / std::sqrt(static_cast<double>(d.size()));
    worker.clock_class = clock_class(sigma, d.size());
  }
  for (WorkerInfo& w : m.workers) {
    if (w.clock_class.empty() && w.has_log) w.clock_class = "D";
  }
}

}  // namespace tfpm
