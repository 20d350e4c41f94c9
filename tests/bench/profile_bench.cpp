// Reading a profile beside parsing the same bytes with generated code on an arena (performance.md
// 5, goal P10: at least six times as fast, in bounded memory).
#include <benchmark/benchmark.h>
#include <google/protobuf/arena.h>

#include <random>
#include <string>

#include "parsers/parser.h"
#include "parsers/profile/space_reader.h"
#include "support/parse_text.h"
#include "xspace.pb.h"

namespace tfpm {
namespace {

constexpr int kDevices = 8, kLines = 8, kNames = 2000;

// One host and eight devices as a profile of some training steps has them: device events with one
// or two numbers each, host events with a step's.
std::string make_profile(int events_per_line) {
  std::mt19937_64 random(42);
  tfpm_bench::XSpace space;
  for (int p = 0; p <= kDevices; ++p) {
    tfpm_bench::XPlane& plane = *space.add_planes();
    plane.set_id(p);
    plane.set_name(p == 0 ? "/host:CPU" : "/device:GPU:" + std::to_string(p - 1));
    for (int l = 0; l < kLines; ++l) {
      tfpm_bench::XLine& line = *plane.add_lines();
      line.set_id(l);
      line.set_name("Stream #" + std::to_string(l) + "(Compute)");
      line.set_timestamp_ns(1000);
      std::int64_t at = 0;
      for (int e = 0; e < events_per_line; ++e) {
        tfpm_bench::XEvent& event = *line.add_events();
        event.set_metadata_id(static_cast<std::int64_t>(random() % kNames) + 1);
        at += static_cast<std::int64_t>(random() % 3'000'000);
        event.set_offset_ps(at);
        event.set_duration_ps(static_cast<std::int64_t>(random() % 20'000'000));
        at += event.duration_ps();
        for (std::uint64_t s = 0; s < 1 + random() % 2; ++s) {
          tfpm_bench::XStat& stat = *event.add_stats();
          stat.set_metadata_id(static_cast<std::int64_t>(1 + s));
          stat.set_int64_value(static_cast<std::int64_t>(random() % 5'000'000));
        }
      }
    }
    for (int n = 1; n <= kNames; ++n) {
      auto& name = (*plane.mutable_event_metadata())[n];
      name.set_id(n);
      name.set_name("void cutlass::Kernel<gemm_" + std::to_string(n) + ">(Params)");
    }
    for (int n = 1; n <= 2; ++n) {
      auto& name = (*plane.mutable_stat_metadata())[n];
      name.set_id(n);
      name.set_name(n == 1 ? "correlation_id" : "group_id");
    }
  }
  return space.SerializeAsString();
}

const std::string& profile() {
  static const std::string bytes = make_profile(20'000);
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
  finish(state, static_cast<std::uint64_t>(kDevices + 1) * kLines * 20'000);
}
BENCHMARK(profile_parser)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tfpm
