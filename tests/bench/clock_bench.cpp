// Aligning a large job's clocks (algorithms.md section 13: a thousand tasks with two thousand kept
// steps each in two seconds).
#include <benchmark/benchmark.h>

#include "align/clock_fit.h"
#include "sim/clock_model.h"

namespace tfpm::sim {
namespace {

void fit_clocks_of_a_job(benchmark::State& state) {
  Shape shape;
  shape.tasks = static_cast<std::size_t>(state.range(0));
  shape.steps = static_cast<std::size_t>(state.range(1));
  const Run run = make_run(shape, kMicroseconds, 1);
  for (auto _ : state) benchmark::DoNotOptimize(fit_clock_tracks(run.tracks));
  state.SetItemsProcessed(state.iterations() * state.range(0) * state.range(1));
}
BENCHMARK(fit_clocks_of_a_job)->Args({16, 2000})->Args({1024, 2000})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tfpm::sim
