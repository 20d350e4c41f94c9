// Writes a synthetic bundle of worker logs for the throughput benchmark (docs: tests/bench/run).
//
// The mix is that of real jobs at their worst for a reader: Keras bars redrawn by \b and \r, NCCL
// INFO, C++ records, Python records with step and loss, one percent failure texts. Deterministic:
// the same arguments give the same bytes.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t n) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ % n;
  }
  double unit() { return static_cast<double>(below(1'000'000)) / 1e6; }

 private:
  std::uint64_t state_;
};

constexpr std::array<std::string_view, 9> kNccl = {
    "NCCL INFO Channel {:02}/0 : {}[0] -> {}[1] via P2P/IPC",
    "NCCL INFO Channel {:02}/0 : {}[1] -> {}[0] [receive] via NET/IB/0/GDRDMA",
    "NCCL INFO Ring {:02} : {} -> {}",
    "NCCL INFO Trees [{}] {}/-1/-1->{}->-1",
    "NCCL INFO threadThresholds {}/{}/{} | 512/64/512",
    "NCCL INFO AllReduce: opCount {:x} sendbuff 0x7f{:x} count {} datatype 7 op 0 root 0",
    "NCCL INFO Connected all rings comm 0x55{:x} nRanks {} busId {:x}",
    "NCCL INFO P2P Chunksize set to {} ({} {})",
    "NCCL INFO NET/Plugin: {} {} {} no plugin found",
};

constexpr std::array<std::string_view, 10> kCppRecords = {
    "I tensorflow/core/common_runtime/gpu/gpu_device.cc:1635] Created device "
    "/job:worker/replica:0/task:{}/device:GPU:0 with {} MB memory",
    "I tensorflow/core/common_runtime/executor.cc:1197] [/device:CPU:0] (DEBUG INFO) Executor "
    "start "
    "{} {}",
    "W tensorflow/core/framework/dataset.cc:769] Input of Window will not be optimized {} {}",
    "I tensorflow/stream_executor/cuda/cuda_dnn.cc:384] Loaded cuDNN version 8{} {}",
    "I tensorflow/core/kernels/data/shuffle_dataset_op.cc:392] Filling up shuffle buffer: {} of {}",
    "I tensorflow/compiler/xla/service/service.cc:173] XLA service 0x{:x} initialized {}",
    "I tensorflow/core/grappler/optimizers/custom_graph_optimizer_registry.cc:117] Plugin {} on {}",
    "W tensorflow/core/common_runtime/bfc_allocator.cc:290] retry {} after {} ms",
    "I tensorflow/core/distributed_runtime/rpc/grpc_channel.cc:258] channel cache {} -> {}",
    "I tensorflow/core/platform/cpu_feature_guard.cc:193] optimized {} {}",
};

constexpr std::array<std::string_view, 9> kCppFailures = {
    "W tensorflow/core/common_runtime/bfc_allocator.cc:479] Allocator (GPU_0_bfc) ran out of "
    "memory "
    "trying to allocate {}.50GiB (rounded to {})requested by op model/dense/MatMul",
    "E tensorflow/core/common_runtime/gpu/gpu_device.cc:77] OOM when allocating tensor with "
    "shape[{},{}] and type float on /job:worker/replica:0/task:0/device:GPU:0",
    "E tensorflow/stream_executor/cuda/cuda_event.cc:29] Error polling for event status: failed to "
    "query event: CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered {} {}",
    "E tensorflow/core/distributed_runtime/coordination/coordination_service.cc:551] Task "
    "/job:worker/replica:0/task:{} heartbeat timeout. Last seen {}",
    "E tensorflow/core/common_runtime/base_collective_executor.cc:249] "
    "BaseCollectiveExecutor::StartAbort UNAVAILABLE: Connection reset by peer {} {}",
    "W tensorflow/core/framework/op_kernel.cc:1818] OUT_OF_RANGE: End of sequence {} {}",
    "E tensorflow/stream_executor/cuda/cuda_dnn.cc:389] Loaded runtime CuDNN library: 8.{}.{} but "
    "source was compiled with: 8.6.0",
    "W tensorflow/core/framework/op_kernel.cc:1830] DATA_LOSS: corrupted record at {} {}",
    "W tensorflow/core/distributed_runtime/rpc/grpc_state.h:540] DEADLINE_EXCEEDED: Deadline "
    "Exceeded {} {}",
};

constexpr std::array<std::string_view, 8> kRawFailures = {
    "worker-{0}:4242:4301 [0] transport/net_ib.cc:688 NCCL WARN NET/IB: Got completion from peer "
    "10.0.0.{1}<47411> with error {0}",
    "worker-{0}:4242:4301 [0] misc/socket.cc:538 NCCL WARN Net : Connection closed by remote peer "
    "10.0.0.{1}",
    "worker-{0}:4242:4301 [0] init.cc:1358 NCCL WARN Cuda failure 'out of memory' {1}",
    "Traceback (most recent call last):\n  File \"/app/train.py\", line {1}, in <module>\n    "
    "train()\nValueError: bad label {0}",
    "Traceback (most recent call last):\n  File \"/app/data.py\", line {1}, in batches\n    yield "
    "x\nFileNotFoundError: [Errno 2] No such file or directory: '/data/part-{0}'",
    "NVRM: Xid (PCI:0000:3b:00): 79, pid={1}, GPU has fallen off the bus. {0}",
    "oom_kill: Killed process {1} (python3) total-vm:{0}kB",
    "WARNING:tensorflow:Your input ran out of data; interrupting training. {0} {1}",
};

class LogWriter {
 public:
  LogWriter(std::FILE* out, int worker, std::uint64_t seed, std::uint64_t failure_ppm)
      : out_(out),
        worker_(worker),
        failure_ppm_(failure_ppm),
        random_(seed * 0x9E3779B97F4A7C15 + static_cast<std::uint64_t>(worker) * 7919 + 1) {}

  void write(std::uint64_t bytes) {
    while (written_ < bytes) {
      time_us_ += 500 + random_.below(20'000);
      record();
      if (line_.size() > 1 << 16) flush();
    }
    flush();
  }

 private:
  void flush() {
    if (std::fwrite(line_.data(), 1, line_.size(), out_) != line_.size()) std::exit(1);
    line_.clear();
  }

  void record() {
    const std::size_t before = line_.size();
    if (random_.below(1'000'000) < failure_ppm_) {
      failure();
    } else {
      const std::uint64_t kind = random_.below(100);
      if (kind < 38) {
        bar();
      } else if (kind < 58) {
        line_ += fmt::format("worker-{}:4242:4301 [0] ", worker_);
        line_ += fmt::format(fmt::runtime(kNccl[random_.below(kNccl.size())]), random_.below(16),
                             random_.below(64), random_.below(64));
        line_ += '\n';
      } else if (kind < 78) {
        stamp(' ', '.');
        line_ += ": ";
        line_ += fmt::format(fmt::runtime(kCppRecords[random_.below(kCppRecords.size())]),
                             random_.below(64), random_.below(1000));
        line_ += '\n';
      } else if (kind < 88) {
        line_ += fmt::format("INFO:tensorflow:global_step/sec: {:.4f}\n", 3 + random_.unit());
      } else {
        step();
      }
    }
    written_ += line_.size() - before;
  }

  void stamp(char between, char fraction) {
    const std::uint64_t s = time_us_ / 1'000'000;
    line_ += fmt::format("2024-05-{:02}{}{:02}:{:02}:{:02}{}{:06}", 12 + s / 86400, between,
                         s / 3600 % 24, s / 60 % 60, s % 60, fraction, time_us_ % 1'000'000);
  }

  void bar() {
    line_.append(bar_width_, '\b');
    line_ += '\r';
    batch_ = batch_ % 1000 + 1;
    const std::size_t done = batch_ * 29 / 1000;
    const std::string text = fmt::format(
        "{:4}/1000 [{}>{}] - ETA: {}s - loss: {:.4f} - accuracy: {:.4f} - auc: {:.4f} - lr: 0.0010",
        batch_, std::string(done, '='), std::string(29 - done, '.'), (1000 - batch_) / 10,
        1 + random_.unit(), random_.unit(), random_.unit());
    line_ += text;
    bar_width_ = text.size();
    if (batch_ == 1000) {
      line_ += '\n';
      bar_width_ = 0;
    }
  }

  void step() {
    ++step_;
    const std::uint64_t s = time_us_ / 1'000'000;
    line_ += fmt::format(
        "2024-05-{:02} {:02}:{:02}:{:02},{:03} - trainer - INFO - [Rank {}] step {} loss {:.6f}\n",
        12 + s / 86400, s / 3600 % 24, s / 60 % 60, s % 60, time_us_ / 1000 % 1000, worker_, step_,
        1 + random_.unit());
  }

  void failure() {
    const std::uint64_t kind = random_.below(kCppFailures.size() + kRawFailures.size());
    if (kind < kCppFailures.size()) {
      stamp(' ', '.');
      line_ += ": ";
      line_ +=
          fmt::format(fmt::runtime(kCppFailures[kind]), random_.below(64), random_.below(100'000));
    } else {
      line_ += fmt::format(fmt::runtime(kRawFailures[kind - kCppFailures.size()]),
                           random_.below(64), random_.below(1000));
    }
    line_ += '\n';
  }

  std::FILE* out_;
  int worker_;
  std::uint64_t failure_ppm_;
  Random random_;
  std::string line_;
  std::uint64_t written_ = 0;
  std::uint64_t time_us_ = 0;
  std::uint64_t step_ = 0;
  std::uint64_t batch_ = 0;
  std::size_t bar_width_ = 0;
};

}  // namespace

// generate_logs DIR WORKERS BYTES_PER_WORKER [SEED [FAILURES_PER_MILLION]]
int main(int argc, char** argv) {
  if (argc < 4) {
    std::fputs("usage: generate_logs DIR WORKERS BYTES_PER_WORKER [SEED [FAILURES_PER_MILLION]]\n",
               stderr);
    return 2;
  }
  const std::filesystem::path dir = argv[1];
  const int workers = std::atoi(argv[2]);
  const std::uint64_t bytes = std::strtoull(argv[3], nullptr, 10);
  const std::uint64_t seed = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 42;
  const std::uint64_t failures = argc > 5 ? std::strtoull(argv[5], nullptr, 10) : 10'000;
  std::filesystem::create_directories(dir);
  for (int worker = 0; worker < workers; ++worker) {
    const std::string path = (dir / fmt::format("worker-{}.log", worker)).string();
    std::FILE* out = std::fopen(path.c_str(), "wb");
    if (out == nullptr) {
      std::perror(path.c_str());
      return 1;
    }
    LogWriter(out, worker, seed, failures).write(bytes);
    if (std::fclose(out) != 0) return 1;
  }
  return 0;
}
