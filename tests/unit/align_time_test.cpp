// Clocks, buffers, restores and asynchronous progress (algorithms.md sections 1.3 to 1.7 and 2).
#include <random>

#include "align/async_progress.h"
#include "align_case.h"

namespace tfpm {
namespace {

using test::Case;
using test::steps;

constexpr std::int64_t kSecond = 1'000'000;

std::string worker_column(Case& c, const std::string& column, const std::string& name) {
  return c.text("SELECT " + column + " FROM worker WHERE name = '" + name + "'");
}

// Two tasks of 100 steps of a second; the second's clock stands `offset_us` further.
void two_tasks(Case& c, std::int64_t offset_us) {
  c.log("logs/worker-0.log", "worker-0");
  c.clock(kSecond + 137, 0);
  steps(c, 1, 100);
  c.log("logs/worker-1.log", "worker-1");
  c.clock(kSecond + 137, offset_us);
}

}  // namespace

TEST_CASE("a steady clock gets its offset, a bound and a good class") {
  Case c;
  two_tasks(c, 95 * kSecond);
  steps(c, 1, 100);
  c.run();
  CHECK(worker_column(c, "clock_offset_us", "worker-1") == "95000000");
  CHECK(worker_column(c, "clock_rung", "worker-1") == "drift");
  CHECK(worker_column(c, "clock_class", "worker-1") == "B");  // steps of a second bound no better
  CHECK(worker_column(c, "clock_low_us < 95000000 AND clock_high_us > 95000000", "worker-1") ==
        "1");
  CHECK(worker_column(c, "clock_zone_s", "worker-1") == "NULL");
}

TEST_CASE("whole quarters of an hour look like a zone") {
  Case c;
  two_tasks(c, -7 * 3600 * kSecond);
  steps(c, 1, 100);
  c.run();
  CHECK(worker_column(c, "clock_zone_s", "worker-1") == "-25200");
}

TEST_CASE("a clock that was set is cut there, and its events follow it") {
  Case c;
  two_tasks(c, 0);
  steps(c, 1, 60);
  c.clock(kSecond + 137, 30 * kSecond);
  steps(c, 61, 100);
  c.event("error", "", {}, 131 * kSecond);
  c.run();
  CHECK(c.text("SELECT kind || ' ' || round(jump_us / 1e6) FROM clock_span WHERE n = 1 AND "
               "worker_id = 2") == "step 30.0");
  CHECK(worker_column(c, "clock_rung", "worker-1") == "piecewise");
  CHECK(c.text("SELECT time_ref_us FROM event") == "101000000");
}

TEST_CASE("an hour at a full hour is summer time") {
  Case c;
  // Step 60 ends at 01:00:00 of the task's own clock.
  const std::int64_t zero = 3600 * kSecond - 60 * (kSecond + 137);
  two_tasks(c, zero);
  steps(c, 1, 60);
  c.clock(kSecond + 137, zero + 3600 * kSecond);
  steps(c, 61, 100);
  c.run();
  CHECK(c.text("SELECT kind FROM clock_span WHERE n = 1 AND worker_id = 2") == "dst");
}

TEST_CASE("tasks that never step are tied by their start and checkpoints") {
  Case c;
  for (const auto& [name, offset] :
       {std::pair<std::string, std::int64_t>{"worker-0", 0}, {"worker-1", 3600 * kSecond}}) {
    c.log("logs/" + name + ".log", name);
    c.event("signature", "coord-agent-connected", {}, offset + 5 * kSecond);
    c.event("signature", "ckpt-saved", {{"prefix", "/out/ckpt-1"}}, offset + 9 * kSecond);
  }
  c.run();
  CHECK(worker_column(c, "clock_offset_us", "worker-1") == "3600000000");
  CHECK(worker_column(c, "clock_rung", "worker-1") == "life");
  CHECK(worker_column(c, "clock_class", "worker-1") == "C");
}

TEST_CASE("a leader's note that a task connected is a pair with that task's own word") {
  Case c;
  c.log("logs/worker-0.log", "worker-0");
  c.event("signature", "coord-task-connected", {{"job", "worker"}, {"peer", "1"}}, 5 * kSecond);
  c.log("logs/worker-1.log", "worker-1");
  c.event("signature", "coord-agent-connected", {}, 3605 * kSecond);
  c.run();
  CHECK(worker_column(c, "clock_offset_us", "worker-1") == "3600000000");
  CHECK(worker_column(c, "clock_rung", "worker-1") == "life");
}

TEST_CASE("an error that several tasks quote with the moment it was made ties their clocks") {
  Case c;
  for (const auto& [name, offset] :
       {std::pair<std::string, std::int64_t>{"worker-0", 0}, {"worker-1", 3600 * kSecond}}) {
    c.log("logs/" + name + ".log", name);
    c.event("signature", "grpc-peer-error", {{"created", "@1772719542.123456789"}},
            offset + 5 * kSecond);
  }
  c.log("logs/worker-2.log", "worker-2");
  c.event("signature", "grpc-peer-error", {{"created", "@1772719549.5"}}, 5 * kSecond);
  c.run();
  CHECK(worker_column(c, "clock_offset_us", "worker-1") == "3600000000");
  CHECK(worker_column(c, "clock_rung", "worker-1") == "life");
  CHECK(worker_column(c, "clock_rung", "worker-2") == "NULL");
}

TEST_CASE("a task without moments of its own takes the clock of its machine") {
  Case c;
  two_tasks(c, 95 * kSecond);
  steps(c, 1, 100);
  c.claim("host", "node-b", 0);
  c.stamped(95 * kSecond, 195 * kSecond);
  for (const auto& [name, from] :
       {std::pair<std::string, std::int64_t>{"evaluator-0", 100 * kSecond},
        {"evaluator-1", 7300 * kSecond}}) {
    c.log("logs/" + name + ".log", name);
    c.claim("host", "node-b", 0);
    c.stamped(from, from + 50 * kSecond);
    c.event("error", "", {}, from + 40 * kSecond);
  }
  c.run();
  CHECK(worker_column(c, "clock_offset_us", "evaluator-0") == "95000000");
  CHECK(worker_column(c, "clock_rung", "evaluator-0") == "host");
  CHECK(worker_column(c, "clock_class", "evaluator-0") == "C");
  CHECK(worker_column(c, "clock_error_us > 100000", "evaluator-0") == "1");
  CHECK(c.text("SELECT time_ref_us FROM event ORDER BY id LIMIT 1") == "45000000");
  // Two hours away it writes another zone.
  CHECK(worker_column(c, "clock_rung", "evaluator-1") == "NULL");
}

TEST_CASE("a preemption that every task was told of is a moment of all") {
  Case c;
  for (const auto& [name, offset] :
       {std::pair<std::string, std::int64_t>{"worker-0", 0}, {"worker-1", -7 * 3600 * kSecond}}) {
    c.log("logs/" + name + ".log", name);
    c.event("signature", "preempt-notified", {}, offset + 8 * 3600 * kSecond);
  }
  c.run();
  CHECK(worker_column(c, "clock_offset_us", "worker-1") == "-25200000000");
}

TEST_CASE("a declared clock is used where nothing else tells, and sets the reference") {
  AlignOptions options;
  options.declared["logs/worker-0.log"] = {"worker-0", "", std::nullopt, 7200.0};
  options.declared["logs/worker-2.log"] = {"worker-2", "", std::nullopt, 3600.0};
  Case c;
  two_tasks(c, 0);
  steps(c, 1, 100);
  c.log("logs/worker-2.log", "worker-2");
  c.event("error", "", {}, 5 * kSecond);
  c.run(options);
  CHECK(worker_column(c, "clock_offset_us", "worker-0") == "7200000000");
  CHECK(worker_column(c, "clock_offset_us", "worker-1") == "7200000000");
  CHECK(worker_column(c, "clock_offset_us", "worker-2") == "3600000000");
  CHECK(worker_column(c, "clock_rung", "worker-2") == "declared");
}

TEST_CASE("no stamps: class D, everything else goes on") {
  Case c;
  c.log("logs/worker-0.log", "worker-0");
  c.event("traceback", "", {{"fatal", "1"}});
  c.run();
  CHECK(worker_column(c, "clock_class", "worker-0") == "D");
}

TEST_CASE("errors that run ahead of buffered steps are placed by their stamps") {
  Case c;
  c.log("logs/worker-0.log", "worker-0");
  c.clock(kSecond, 0);
  steps(c, 1, 2);
  // Written at once, while steps 3 to 40 wait in the buffer.
  for (const std::int64_t at : {10, 20, 30}) c.event("error", "", {}, at * kSecond + 1000);
  steps(c, 3, 40);
  c.run();
  CHECK(c.text("SELECT buffered FROM stream") == "overtaken");
  CHECK(c.text("SELECT group_concat(step_quality || ':' || step_lo || '-' || step_hi, ' ') FROM "
               "event") == "1:10-12 1:20-22 1:30-32");
}

TEST_CASE("a log that ends inside a line at a whole block was buffered, elsewhere it was not") {
  for (const std::int64_t bytes : {8192, 8191}) {
    Case c;
    c.log("logs/worker-0.log", "worker-0");
    c.clock(kSecond, 0);
    steps(c, 1, 10);
    c.event("error", "", {}, 25 * kSecond + 1000);
    steps(c, 11, 40);
    c.torn_after(bytes);
    c.run();
    const bool whole = bytes == 8192;
    CHECK(c.text("SELECT buffered FROM stream") == (whole ? "torn-block" : "NULL"));
    // Between its neighbours only where these were written when they happened.
    CHECK(c.text("SELECT step_quality || ':' || step_lo || '-' || step_hi FROM event") ==
          (whole ? "1:25-27" : "3:11-11"));
  }
}

TEST_CASE("steps that arrive together and then none for long were buffered") {
  Case c;
  c.log("logs/worker-0.log", "worker-0");
  // The collector stamps what arrives: 30 steps at one instant, every 30 seconds.
  for (std::int64_t flush = 1; flush <= 4; ++flush) {
    c.clock(0, flush * 30 * kSecond + 500);
    steps(c, (flush - 1) * 30 + 1, flush * 30);
    if (flush == 2) c.event("error", "", {}, 75 * kSecond);
  }
  c.run();
  CHECK(c.text("SELECT buffered FROM stream") == "bursts");
  CHECK(c.text("SELECT step_quality FROM event") == "1");
}

TEST_CASE("errors in step with their neighbours stay between them") {
  Case c;
  c.log("logs/worker-0.log", "worker-0");
  c.clock(kSecond, 0);
  for (const std::int64_t at : {10, 20, 30}) {
    steps(c, at - 9, at);
    c.event("error", "", {}, at * kSecond + 1000);
  }
  steps(c, 31, 40);
  c.run();
  CHECK(c.text("SELECT count(*) FROM stream WHERE buffered IS NOT NULL") == "0");
  CHECK(c.text("SELECT group_concat(step_quality || ':' || step_lo, ' ') FROM event") ==
        "3:11 3:21 3:31");
}

TEST_CASE("steps that go back begin a run, but not when their stamps go back with them") {
  Case again;
  again.log("logs/worker-0.log", "worker-0");
  again.clock(kSecond, 0);
  steps(again, 1, 20);
  again.clock(kSecond, 60 * kSecond);
  steps(again, 11, 30);
  again.run();
  CHECK(again.text("SELECT group_concat(basis, ' ') FROM attempt") == "log step-reset");
  Case late;
  late.log("logs/worker-0.log", "worker-0");
  late.clock(kSecond, 0);
  steps(late, 1, 20);
  steps(late, 11, 12);
  steps(late, 21, 30);
  late.run();
  CHECK(late.text("SELECT count(*) FROM attempt") == "1");
}

TEST_CASE("a run that restored tells what it lost") {
  Case c;
  for (const char* task : {"worker-0", "worker-1"}) {
    c.log(std::string("logs/") + task + ".log", task);
    c.claim("pid", "100", 50);
    steps(c, 1, 24);
    c.restart(200);
    c.event("signature", "ckpt-restored", {{"prefix", "/out/ckpt-20"}});
    steps(c, 21, 40);
  }
  c.run();
  CHECK(c.text("SELECT group_concat(restored_step || ' ' || lost_steps, ', ') FROM attempt WHERE "
               "n = 1") == "20 4, 20 4");
  CHECK(c.text("SELECT count(*) FROM attempt WHERE n = 0 AND restored_step IS NOT NULL") == "0");
}

namespace {

// Tasks that push after compute times of `seconds` each; task `dead` stops at update `at`.
std::vector<AsyncTrack> pushes(const std::vector<double>& seconds, std::int64_t updates,
                               std::size_t dead = SIZE_MAX, std::int64_t at = 0) {
  std::mt19937 random(3);
  std::vector<double> next = seconds;
  std::vector<AsyncTrack> tracks(seconds.size());
  for (std::size_t w = 0; w < tracks.size(); ++w) tracks[w].worker = static_cast<int>(w);
  for (std::int64_t g = 1; g <= updates; ++g) {
    std::size_t first = SIZE_MAX;
    for (std::size_t w = 0; w < next.size(); ++w) {
      if (w == dead && g > at) continue;
      if (first == SIZE_MAX || next[w] < next[first]) first = w;
    }
    tracks[first].steps.push_back(g);
    next[first] += seconds[first] * (0.9 + 0.2 * static_cast<double>(random()) / 4294967296.0);
  }
  return tracks;
}

}  // namespace

TEST_CASE("equal tasks push equal shares, N - 1 updates old") {
  for (const AsyncShare& s : async_shares(pushes(std::vector<double>(8, 1), 4000))) {
    CHECK(*s.share == Approx(0.125).margin(0.01));
    CHECK(*s.staleness == Approx(7).margin(0.5));
    CHECK(*s.stale_share == 0);
  }
}

TEST_CASE("a task four times slower pushes less and staler") {
  std::vector<double> seconds(8, 1);
  seconds[3] = 4;
  const std::vector<AsyncShare> shares = async_shares(pushes(seconds, 4000));
  CHECK(*shares[3].share == Approx(0.035).margin(0.005));
  CHECK(*shares[3].staleness == Approx(28).margin(1.5));
  CHECK(*shares[0].staleness == Approx(6.25).margin(0.8));
}

TEST_CASE("tasks that print now and then tell no shares") {
  std::vector<AsyncTrack> tracks(2);
  for (std::int64_t g = 10; g <= 500; g += 10) {
    tracks[0].steps.push_back(g);
    tracks[1].steps.push_back(g + 3);
  }
  CHECK_FALSE(async_shares(tracks)[0].share.has_value());
  CHECK_FALSE(async_change(tracks).has_value());
}

TEST_CASE("a task's death is dated by the others' gaps, without its log") {
  std::vector<AsyncTrack> tracks = pushes(std::vector<double>(5, 1), 1000, 2, 600);
  CHECK_FALSE(async_change(pushes(std::vector<double>(5, 1), 1000)).has_value());
  tracks.erase(tracks.begin() + 2);
  const std::optional<AsyncChange> change = async_change(tracks);
  REQUIRE(change.has_value());
  CHECK(change->step_lo <= 610);
  CHECK(change->step_hi >= 590);
  CHECK(change->step_hi - change->step_lo <= 20);
  CHECK(change->before == Approx(5).margin(0.2));
  CHECK(change->after == Approx(4).margin(0.2));
  CHECK(change->witnesses == 4);
}

}  // namespace tfpm
