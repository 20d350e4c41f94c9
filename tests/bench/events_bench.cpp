// Reading event files from memory: scalars of about 60 bytes, where two checksums and a parse fall
// on each, and records of 4 KiB (goals: 0.15 and 0.5 of the throughput of `cat`).
#include <benchmark/benchmark.h>

#include <string>

#include "bench/format_data.h"
#include "parsers/detail/event_file.h"
#include "support/parse_text.h"

namespace tfpm {
namespace {

constexpr std::size_t kFileBytes = std::size_t{16} << 20;

void read_events(benchmark::State& state) {
  const std::string file = bench::event_file(kFileBytes, static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    MemoryStream in(file, std::size_t{128} << 10);
    TfRecordReader reader(in);
    EventFile events({}, {});
    TfRecord record;
    while (reader.next(record)) events.add(record);
    benchmark::DoNotOptimize(reader.records());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(file.size()) * state.iterations());
}
BENCHMARK(read_events)->Arg(0)->Arg(4000);

}  // namespace
}  // namespace tfpm
