// What one line costs on its way to a record (performance.md 2: about 11 M headers a second).
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <string_view>

#include "ingest/lines.h"
#include "ingest/record.h"
#include "ingest/traceback.h"

namespace tfpm {
namespace {

constexpr std::string_view kClassic =
    "2026-03-05 14:05:42.123456: W tensorflow/core/framework/op_kernel.cc:1831] OP_REQUIRES failed";
constexpr std::string_view kAbsl =
    "I0000 00:00:1772719542.123456   21777 coordination_service_agent.cc:245] Connected.";
constexpr std::string_view kPython =
    "2026-03-05 14:05:42,123 INFO train: step 1200 loss 0.531 lr 0.01 examples/sec 160.0";
constexpr std::string_view kLogger = "INFO:tensorflow:loss = 0.7421875, step = 61200 (38.774 sec)";
constexpr std::string_view kNccl = "worker-2:4242:4301 [0] NCCL INFO Ring 00 : 3 -> 4 -> 5";
constexpr std::string_view kJson =
    R"({"ts": 1772719542.9138842, "level": "INFO", "step": 25, "loss": NaN, "task": "worker-0"})";
constexpr std::string_view kBar =
    " 12/100 [==>...........................] - ETA: 1:02 - loss: 0.6204 - accuracy: 0.1000";
constexpr std::string_view kWords = "To enable the following instructions: AVX2 AVX512F FMA";

constexpr std::array<std::string_view, 8> kLines = {kClassic, kAbsl, kPython, kLogger,
                                                    kNccl,    kJson, kBar,    kWords};

void count_lines(benchmark::State& state, std::size_t bytes) {
  state.SetItemsProcessed(state.iterations());
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

void header(benchmark::State& state) {
  std::string_view line = kLines[static_cast<std::size_t>(state.range(0))];
  for (auto _ : state) {
    benchmark::DoNotOptimize(line);
    benchmark::DoNotOptimize(parse_header(line));
  }
  state.SetLabel(std::string(to_string(parse_header(line).family)));
  count_lines(state, line.size());
}
BENCHMARK(header)->DenseRange(0, kLines.size() - 1);

void glued_header(benchmark::State& state) {
  const std::string line = std::string(kBar) + std::string(state.range(0) == 0 ? "" : kClassic);
  for (auto _ : state) benchmark::DoNotOptimize(find_glued_header(line));
  count_lines(state, line.size());
}
BENCHMARK(glued_header)->Arg(0)->Arg(1);

void envelope(benchmark::State& state) {
  constexpr std::array<std::string_view, 4> kTagged = {
      "12: step 3", "[pod/mnist-worker-1/tensorflow] step 3", "[1,3]<stderr>:step 3",
      R"({"log":"step 3\n","stream":"stderr","time":"2026-03-05T14:05:42.120612345Z"})"};
  const std::string line(kTagged[static_cast<std::size_t>(state.range(0))]);
  const auto detector = EnvelopeDetector::from_head(line + "\n" + line + "\n" + line + "\n");
  for (auto _ : state) benchmark::DoNotOptimize(detector.peel(line));
  count_lines(state, line.size());
}
BENCHMARK(envelope)->DenseRange(0, 3);

// Headers of all families and progress bars through the assembler: nothing is joined.
void assemble(benchmark::State& state) {
  RecordAssembler assembler;
  std::size_t next = 0;
  std::size_t bytes = 0;
  for (auto _ : state) {
    const std::string_view line = kLines[next];
    next = (next + 1) % kLines.size();
    bytes += line.size();
    benchmark::DoNotOptimize(assembler.push({0, 1, line, parse_header(line)}));
  }
  state.SetItemsProcessed(state.iterations());
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}
BENCHMARK(assemble);

void traceback(benchmark::State& state) {
  constexpr std::string_view kText =
      "Traceback (most recent call last):\n"
      "  File \"/app/train.py\", line 419, in <module>\n"
      "    main()\n"
      "tensorflow.python.framework.errors_impl.UnavailableError: Graph execution error:\n"
      "\n"
      "Collective ops is aborted by: Socket closed\n"
      "Additional GRPC error information from remote target /job:worker/replica:0/task:5 while "
      "calling /tensorflow.WorkerService/RecvBuf:\n"
      ":UNKNOWN:Error received from peer  {grpc_status:14, grpc_message:\"Socket closed\"}\n"
      "\t [[{{node Reduce}}]] [Op:__inference_train_step_331]";
  for (auto _ : state) benchmark::DoNotOptimize(parse_traceback(kText));
  count_lines(state, kText.size());
}
BENCHMARK(traceback);

}  // namespace
}  // namespace tfpm
