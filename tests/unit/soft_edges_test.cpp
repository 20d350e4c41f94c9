// What fitted clocks order where no cause does.
#include "align/soft_edges.h"

#include <algorithm>
#include <catch2/catch.hpp>

namespace tfpm {
namespace {

constexpr std::int64_t kSecond = 1'000'000;
constexpr std::int64_t kNoon = 43'200 * kSecond + 123'457;  // stamps to the microsecond

// Tasks with one log each; every record stands in step 1, where nothing but clocks orders them.
class Job {
 public:
  explicit Job(int workers) {
    m_.generations.resize(1);
    for (int w = 0; w < workers; ++w) {
      StreamInfo stream;
      stream.id = w + 1;
      stream.source_id = w + 1;
      stream.worker = w;
      m_.streams.push_back(stream);
      WorkerInfo worker;
      worker.name = "worker-" + std::to_string(w);
      worker.type = "worker";
      worker.streams = {w};
      worker.attempts.resize(1);
      m_.workers.push_back(worker);
      clock(w, 0, "A", 5'000);
    }
    m_.index_workers();
  }

  void clock(int w, double offset_us, const std::string& quality, double error_us) {
    WorkerClock& c = m_.workers[static_cast<std::size_t>(w)].clock;
    c.spans = {ClockSpan{}};
    c.spans[0].offset_us = offset_us;
    c.offset_us = offset_us;
    c.error_us = error_us;
    c.quality = quality;
  }

  std::size_t event(int w, OptInt own_us) {
    EventInfo e;
    e.id = static_cast<std::int64_t>(m_.events.size()) + 1;
    e.source_id = w + 1;
    e.stream = e.worker = w;
    e.seq = static_cast<std::int64_t>(m_.events.size()) * 10 + 10;
    e.kind = "signature";
    e.attempt = e.generation = 0;
    e.phase = "step";
    e.step_lo = 1;
    e.time_us = own_us;
    m_.events.push_back(e);
    return m_.events.size() - 1;
  }

  // Pairs of events, the earlier first.
  std::vector<std::pair<std::size_t, std::size_t>> hints() const {
    const LogicalOrder order = order_records(m_);
    std::vector<std::pair<std::size_t, std::size_t>> out;
    for (const OrderEdge& e : order.hints) {
      out.emplace_back(order.nodes[e.from].index, order.nodes[e.to].index);
      CHECK(e.strength == EdgeClass::kSoft);
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  Model& model() { return m_; }

 private:
  Model m_;
};

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

TEST_CASE("clocks order two tasks' records only beyond both stated errors") {
  Job job(2);
  const std::size_t late = job.event(0, kNoon + 10'002);  // to the resolution more than two errors
  const std::size_t early = job.event(1, kNoon);
  CHECK(job.hints() == Pairs{{early, late}});
  job.model().events[late].time_us = kNoon + 10'001;
  CHECK(job.hints().empty());
}

TEST_CASE("stamps count on the common clock, not as written") {
  Job job(2);
  job.clock(1, -3'600e6, "A", 5'000);  // an hour slow
  const std::size_t first = job.event(0, kNoon);
  const std::size_t second = job.event(1, kNoon - 3'599 * kSecond);
  CHECK(job.hints() == Pairs{{first, second}});
}

TEST_CASE("coarse clocks and rounded stamps hint at nothing") {
  Job job(2);
  job.event(0, kNoon);
  const std::size_t later = job.event(1, kNoon + kSecond / 2);
  CHECK(job.hints().size() == 1);
  for (const char* quality : {"C", "D"}) {
    job.clock(1, 0, quality, 5'000);
    CHECK(job.hints().empty());
  }
  job.clock(1, 0, "B", 5'000);
  CHECK(job.hints().size() == 1);
  job.model().events[later].time_us = std::nullopt;
  CHECK(job.hints().empty());
  // 12:00:00 written to the second may be nearly a second later than it says.
  job.model().events[0].time_us = kNoon / kSecond * kSecond;
  job.model().events[later].time_us = kNoon / kSecond * kSecond + 900'001;
  CHECK(job.hints().empty());
}

TEST_CASE("a task whose own stamps run backwards is not asked") {
  Job job(2);
  job.event(0, kNoon + 5 * kSecond);
  job.event(0, kNoon);  // stands behind the line above in the same log
  job.event(1, kNoon + 2 * kSecond);
  CHECK(job.hints().empty());
}

TEST_CASE("one hint a record: the last of another task before it") {
  Job job(3);
  const std::size_t a = job.event(0, kNoon);
  const std::size_t b = job.event(1, kNoon + kSecond + 1);
  const std::size_t c = job.event(1, kNoon + 2 * kSecond + 1);
  const std::size_t d = job.event(2, kNoon + 3 * kSecond + 1);
  CHECK(job.hints() == Pairs{{a, b}, {a, c}, {c, d}});
}

TEST_CASE("a hint never speaks against a cause, and moves no record") {
  Job job(2);
  const std::size_t accuser = job.event(0, kNoon);
  const std::size_t accused = job.event(1, kNoon + 60 * kSecond);
  Model& m = job.model();
  m.accusations.push_back({"transport-witness", 0, 0, 1, static_cast<int>(accuser), {}});
  const LogicalOrder order = order_records(m);
  CHECK(order.hints.empty());
  CHECK(order.nodes[order.places[0].node].index == accused);
}

TEST_CASE("a stamp's digits show its resolution") {
  CHECK(stamp_resolution_us(7 * kSecond) == kSecond);
  CHECK(stamp_resolution_us(7 * kSecond + 25'000) == 1'000);
  CHECK(stamp_resolution_us(7 * kSecond + 25'001) == 1);
  CHECK(stamp_resolution_us(0) == kSecond);
}

}  // namespace
}  // namespace tfpm
