// Text that counts nothing must give no marker (algorithms.md section 1.9, rule 4).
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "marker_bench.h"

namespace tfpm::test {
namespace {

std::size_t markers_of(const std::vector<Lines>& logs, bool stamped = true) {
  std::size_t count = 0;
  for (const auto& task : choose(logs, stamped).tasks) count += task.size();
  return count;
}

std::vector<Lines> on_tasks(int tasks, const std::function<void(int, Lines&)>& print) {
  std::vector<Lines> logs(static_cast<std::size_t>(tasks));
  for (int t = 0; t < tasks; ++t) print(t, logs[static_cast<std::size_t>(t)]);
  return logs;
}

}  // namespace

TEST_CASE("evaluation loops are no training steps") {
  CHECK(markers_of(on_tasks(3, [](int, Lines& out) {
          for (int i = 1; i <= 30; ++i)
            out.push_back(fmt::format("eval step {} loss 0.{}", i, 300 + i));
        })) == 0);
  CHECK(markers_of(on_tasks(3, [](int, Lines& out) {
          for (int i = 1; i <= 30; ++i) out.push_back(fmt::format("Evaluation [{}/30]", i));
        })) == 0);
  CHECK(markers_of(on_tasks(2, [](int, Lines& out) {
          for (int i = 1; i <= 30; ++i)
            out.push_back(fmt::format(
                "Validating:  {}%|██        | {}/30 [00:10<01:15,  1.17it/s, loss=0.{}]", i * 3, i,
                100 + i));
        })) == 0);
}

TEST_CASE("heartbeats, queues and loading are no training steps") {
  CHECK(markers_of(on_tasks(3, [](int, Lines& out) {
          for (int i = 1; i <= 40; ++i)
            out.push_back(fmt::format("heartbeat {} sent, rtt 0.{:03}", i, 100 + i % 7));
        })) == 0);
  CHECK(markers_of(on_tasks(3, [](int, Lines& out) {
          for (int i = 1; i <= 40; ++i) out.push_back(fmt::format("queue size {}", i));
        })) == 0);
  CHECK(markers_of(on_tasks(3, [](int, Lines& out) {
          for (int i = 1; i <= 40; ++i)
            out.push_back(fmt::format("Loading shard {}/40 (0.{} s)", i, 10 + i % 9));
        })) == 0);
}

TEST_CASE("listings and plain counters are no training steps") {
  CHECK(markers_of(on_tasks(1, [](int, Lines& out) {
          for (int i = 0; i < 24; ++i)
            out.push_back(fmt::format("layer {} params {}", i, 1000 * (i % 5)));
        })) == 0);
  CHECK(markers_of(on_tasks(2, [](int, Lines& out) {
          for (int i = 0; i < 24; ++i)
            out.push_back(fmt::format("worker-0:2222 connected {} times", i));
        })) == 0);
  CHECK(markers_of(on_tasks(2, [](int, Lines& out) {
          for (int i = 0; i < 40; ++i)
            out.push_back(fmt::format("allocated {} bytes at 0x7f{:010x}", 4096 * i, 65536 * i));
        })) == 0);
}

TEST_CASE("kernel and NCCL lines are no training steps") {
  CHECK(markers_of(on_tasks(1, [](int, Lines& out) {
          for (int i = 0; i < 60; ++i)
            out.push_back(
                fmt::format("[ {}.{:06}] eth0: link is up, {} Mbps", 1000 + i * 3, i * 991, 10000));
        })) == 0);
  CHECK(markers_of(on_tasks(2, [](int, Lines& out) {
          for (int i = 0; i < 32; ++i)
            out.push_back(fmt::format("Channel {:02}/0 : 3[3] -> 4[4] via P2P/IPC", i));
        })) == 0);
}

TEST_CASE("start-up, heartbeats and evaluation beside training change nothing") {
  const Run run;
  const Chosen chosen = print_and_choose(
      run,
      {"loading part 1 of 3", "loading part 2 of 3", "loading part 3 of 3", "layer 0 dim 64",
       "layer 1 dim 64", "layer 2 dim 64", "layer 3 dim 64"},
      [](const StepFacts& f, Lines& out) {
        if (f.step % 3 == 0)
          out.push_back(fmt::format("heartbeat {} from peer, lag 0.{}", f.step / 3, f.step));
        out.push_back(fmt::format("queue depth {}", f.step * 2 % 7));
        out.push_back(fmt::format("step {} loss {}", f.step, text_of(f.loss)));
        if (f.step % 10 != 0) return;
        for (int i = 1; i <= 8; ++i) out.push_back(fmt::format("valid {}/8 loss 0.{}", i, 500 + i));
        out.push_back(fmt::format("Saved checkpoint /srv/out/ckpt-{}", f.step));
      });
  CHECK(difference(run, chosen) == "");
}

}  // namespace tfpm::test
