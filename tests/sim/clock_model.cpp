#include "sim/clock_model.h"

#include <algorithm>
#include <cmath>

namespace tfpm::sim {
namespace {

constexpr double kStepUs = 0.5e6;
constexpr double kStepSpread = 0.18;  // of a task's own work
constexpr double kCollectiveUs = 20e3;

double uniform(std::mt19937& random, double from, double to) {
  return from + (to - from) * (static_cast<double>(random()) / 4294967296.0);
}

double exponential(std::mt19937& random, double mean) {
  return -mean * std::log(1 - uniform(random, 0, 1));
}

double written(double shown_us, double rounding_us) {
  return std::floor(shown_us / rounding_us) * rounding_us;
}

void make_steps(Run& run, const Shape& shape, std::mt19937& random) {
  run.enter_us.assign(shape.tasks, std::vector<double>(shape.steps));
  double now = 0;
  for (std::size_t k = 0; k < shape.steps; ++k) {
    double last = now;
    const double batch = uniform(random, 1 - shape.batch_spread, 1 + shape.batch_spread);
    for (std::size_t w = 0; w < shape.tasks; ++w) {
      const double work = (kStepUs - kCollectiveUs) * batch * uniform(random, 1 - kStepSpread, 1);
      run.enter_us[w][k] = now + work;
      last = std::max(last, run.enter_us[w][k]);
    }
    now = last + kCollectiveUs * uniform(random, 0.8, 1.2);
    run.done_us.push_back(now);
  }
}

}  // namespace

Run make_run(const Shape& shape, const Noise& noise, std::uint32_t seed) {
  std::mt19937 random(seed);
  Run run;
  make_steps(run, shape, random);
  for (std::size_t w = 0; w < shape.tasks; ++w) {
    Clock clock;
    clock.offset_us = uniform(random, -shape.offset_us, shape.offset_us);
    clock.drift = uniform(random, -shape.drift, shape.drift);
    run.clocks.push_back(clock);
    ClockTrack track;
    track.rounding_us = noise.rounding_us;
    for (std::size_t k = 0; k < shape.steps; ++k) {
      const bool late = uniform(random, 0, 1) < noise.late_share;
      const double lag = late ? uniform(random, noise.late_from_us, noise.late_to_us)
                              : exponential(random, noise.mean_lag_us);
      if (uniform(random, 0, 1) < shape.missing) continue;
      const double shown = clock.show(run.done_us[k] + lag, k);
      track.stamps.push_back({static_cast<std::uint32_t>(k), written(shown, noise.rounding_us)});
    }
    run.tracks.push_back(std::move(track));
  }
  return run;
}

std::vector<double> misalignments(const Run& run, const ClockSolution& solution) {
  const std::size_t tasks = run.clocks.size();
  std::vector<double> worst(tasks, 0), aligned(tasks), sorted;
  for (std::size_t k = 0; k < run.done_us.size(); ++k) {
    for (std::size_t w = 0; w < tasks; ++w) {
      const auto& stamps = run.tracks[w].stamps;
      const auto at =
          std::lower_bound(stamps.begin(), stamps.end(), k,
                           [](const SyncStamp& s, std::size_t m) { return s.moment < m; });
      const ClockPart& part =
          solution.fits[w].part_of(static_cast<std::size_t>(at - stamps.begin()));
      aligned[w] = part.to_axis(run.clocks[w].show(run.done_us[k], k));
    }
    sorted = aligned;
    const double median = quantile(sorted, 0.5);
    for (std::size_t w = 0; w < tasks; ++w) {
      worst[w] = std::max(worst[w], std::fabs(aligned[w] - median));
    }
  }
  return worst;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (at - static_cast<double>(low)) * (values[high] - values[low]);
}

}  // namespace tfpm::sim
