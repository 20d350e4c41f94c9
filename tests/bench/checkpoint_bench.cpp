// What verifying a checkpoint costs beside merely reading it (performance.md 4, goal P9: at least
// 0.92 of the throughput of `cat`).
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "parsers/checkpoint/shard_reader.h"
#include "parsers/detail/crc32c.h"
#include "parsers/detail/float_scan.h"
#include "support/parse_text.h"

namespace tfpm {
namespace {

constexpr std::size_t kTensorBytes = std::size_t{2} << 20;

std::string ordinary_floats(std::size_t bytes) {
  std::string out(bytes, '\0');
  for (std::size_t i = 0; i < bytes; ++i) out[i] = static_cast<char>(i % 4 == 3 ? 0x3f : i * 37);
  return out;
}

void count_bytes(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
}

void checksum_chunk(benchmark::State& state) {
  const std::string chunk = ordinary_floats(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(crc32c(chunk));
  count_bytes(state, chunk.size());
}
BENCHMARK(checksum_chunk)->Arg(8)->Arg(200)->Arg(256)->Arg(4096)->Arg(kShardChunk);

void scan_chunk(benchmark::State& state) {
  const std::string chunk = ordinary_floats(kShardChunk);
  FloatScan scan(float_layout(static_cast<DataType>(state.range(0))));
  for (auto _ : state) {
    scan.feed(chunk);
    benchmark::DoNotOptimize(scan.nonfinite());
  }
  count_bytes(state, chunk.size());
}
BENCHMARK(scan_chunk)->Arg(kDtFloat)->Arg(kDtDouble)->Arg(14)->Arg(19);

// A shard of float tensors from memory: what is left when the disk costs nothing.
void verify_shard(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const std::string data = ordinary_floats(16 * kTensorBytes);
  std::vector<Tensor> tensors;
  for (std::size_t at = 0; at < data.size(); at += size) {
    TensorEntry entry;
    entry.dtype = kDtFloat;
    entry.shape = {static_cast<std::int64_t>(size / 4)};
    entry.offset = static_cast<std::int64_t>(at);
    entry.size = static_cast<std::int64_t>(size);
    tensors.push_back({entry, {}, 0, {}});
  }
  std::vector<Tensor*> pointers;
  for (Tensor& tensor : tensors) pointers.push_back(&tensor);
  for (auto _ : state) {
    MemoryStream in(data, kShardChunk);
    benchmark::DoNotOptimize(read_shard(in, pointers, {}).bytes);
  }
  count_bytes(state, data.size());
}
BENCHMARK(verify_shard)->Arg(1024)->Arg(65536)->Arg(kTensorBytes);

}  // namespace
}  // namespace tfpm
