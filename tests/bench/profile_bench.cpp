// Reading a profile beside parsing the same bytes with generated code on an arena (performance.md
// 5, goal P10: at least six times as fast, in bounded memory).
#include <benchmark/benchmark.h>
#include <google/protobuf/arena.h>

#include <memory>
#include <string>

#include "bench/format_data.h"
#include "parsers/parser.h"
#include "parsers/profile/space_reader.h"
#include "support/parse_text.h"
#include "xspace.pb.h"

namespace tfpm {
namespace {

constexpr int kEventsPerLine = 20'000;

const std::string& profile() {
  static const std::string bytes = bench::profile(kEventsPerLine);
  return bytes;
}

void finish(benchmark::State& state, std::uint64_t events) {
  state.SetBytesProcessed(static_cast<std::int64_t>(profile().size()) * state.iterations());
  state.SetItemsProcessed(static_cast<std::int64_t>(events) * state.iterations());
}

void profile_arena(benchmark::State& state) {
  std::uint64_t events = 0;
  for (auto _ : state) {
    google::protobuf::Arena arena;
    auto* space = google::protobuf::Arena::CreateMessage<tfpm_bench::XSpace>(&arena);
    if (!space->ParseFromString(profile())) state.SkipWithError("not parsed");
    events = 0;
    for (const auto& plane : space->planes()) {
      for (const auto& line : plane.lines()) {
        events += static_cast<std::uint64_t>(line.events_size());
      }
    }
  }
  finish(state, events);
}
BENCHMARK(profile_arena)->Unit(benchmark::kMillisecond);

void profile_windowed(benchmark::State& state) {
  std::uint64_t events = 0;
  for (auto _ : state) {
    MemoryStream in(profile(), std::size_t{1} << 20);
    SpaceReader reader(in);
    std::int64_t self = 0;
    reader.read([&](const Plane& plane) {
      for (const EventTotals& t : plane.totals()) self += t.self;
    });
    benchmark::DoNotOptimize(self);
    events = reader.events();
  }
  finish(state, events);
}
BENCHMARK(profile_windowed)->Unit(benchmark::kMillisecond);

// The whole parser: with the split of steps, the longest ops and their rows.
void profile_parser(benchmark::State& state) {
  std::unique_ptr<Parser> parser;
  for (auto& p : make_all_parsers()) {
    if (p->name() == "xplane") parser = std::move(p);
  }
  for (auto _ : state) {
    MemoryStream in(profile(), std::size_t{1} << 20);
    CollectingSink sink;
    if (!parser->parse({"worker-0.xplane.pb", profile().size()}, in, sink).ok()) {
      state.SkipWithError("not parsed");
    }
    benchmark::DoNotOptimize(sink.rows().size());
  }
  finish(state, std::uint64_t{9} * 8 * kEventsPerLine);
}
BENCHMARK(profile_parser)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tfpm
