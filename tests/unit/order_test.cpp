// Which record happened before which: the graph, the test by step numbers, and the line-up.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>

#include "align/collective_order.h"
#include "align/logical_order.h"
#include "align/order_graph.h"

namespace tfpm {
namespace {

// A job with one log per worker, made line by line.
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
    }
    m_.index_workers();
    seq_.resize(static_cast<std::size_t>(workers), 0);
  }

  void marker(int worker, std::int64_t step) {
    MarkerInfo k;
    k.stream = worker;
    k.seq = next(worker);
    k.step = step;
    k.attempt = k.generation = 0;
    AttemptInfo& a = m_.workers[static_cast<std::size_t>(worker)].attempts[0];
    if (!a.first_step) a.first_step = step;
    a.last_step = step;
    markers_[worker].push_back(k);
  }

  // Returns its index.
  std::size_t event(int worker, std::map<std::string, std::string> captures = {},
                    const std::string& kind = "signature") {
    EventInfo e;
    e.id = static_cast<std::int64_t>(m_.events.size()) + 1;
    e.source_id = worker + 1;
    e.stream = e.worker = worker;
    e.seq = next(worker);
    e.kind = kind;
    e.attempt = e.generation = 0;
    e.phase = "step";
    const OptInt& last = m_.workers[static_cast<std::size_t>(worker)].attempts[0].last_step;
    e.step_lo = last.value_or(0) + 1;
    e.captures.insert(captures.begin(), captures.end());
    m_.events.push_back(e);
    return m_.events.size() - 1;
  }

  Model& model() {
    m_.markers.clear();
    for (const auto& [worker, list] : markers_) {
      m_.markers.insert(m_.markers.end(), list.begin(), list.end());
    }
    return m_;
  }

 private:
  std::int64_t next(int worker) { return seq_[static_cast<std::size_t>(worker)] += 10; }

  Model m_;
  std::map<int, std::vector<MarkerInfo>> markers_;
  std::vector<std::int64_t> seq_;
};

std::vector<std::size_t> events_in_order(const LogicalOrder& order) {
  std::vector<std::size_t> out;
  for (const OrderPlace& p : order.places) out.push_back(order.nodes[p.node].index);
  return out;
}

std::int64_t cell_of(const LogicalOrder& order, std::size_t event) {
  for (const OrderPlace& p : order.places) {
    if (order.nodes[p.node].index == event) return p.cell;
  }
  return -1;
}

TEST_CASE("the order keeps to every edge and is by key where nothing orders") {
  OrderGraph graph(4);
  graph.add(3, 0, EdgeClass::kFirm, "rpc");
  graph.add(3, 0, EdgeClass::kFirm, "rpc");
  graph.add(1, 1, EdgeClass::kHard, "process");
  CHECK(graph.break_circles().empty());
  const std::vector<OrderKey> keys = {{0}, {1}, {2}, {3}};
  CHECK(graph.linearise(keys) == std::vector<std::size_t>{1, 2, 3, 0});
}

TEST_CASE("a circle loses its weakest edges, never the order inside a stream") {
  OrderGraph graph(4);
  graph.add(0, 1, EdgeClass::kHard, "program-order");
  graph.add(2, 3, EdgeClass::kHard, "program-order");
  graph.add(1, 2, EdgeClass::kFirm, "rpc");
  graph.add(3, 0, EdgeClass::kSoft, "time");
  const std::vector<BrokenEdge> broken = graph.break_circles();
  REQUIRE(broken.size() == 1);
  CHECK(graph.edges()[broken[0].edge].how == "time");
  CHECK(broken[0].circle == 4);
  CHECK(graph.break_circles().empty());
  CHECK(graph.linearise({{3}, {2}, {1}, {0}}) == std::vector<std::size_t>{0, 1, 2, 3});
}

TEST_CASE("hard edges go last, and a circle of them does not hang the line-up") {
  OrderGraph graph(3);
  graph.add(0, 1, EdgeClass::kHard, "program-order");
  graph.add(1, 2, EdgeClass::kHard, "checkpoint");
  graph.add(2, 0, EdgeClass::kFirm, "coordinator");
  graph.add(2, 0, EdgeClass::kHard, "checkpoint");
  CHECK(graph.break_circles().size() == 3);
  CHECK(graph.linearise({{0}, {0}, {0}}).size() == 3);
}

TEST_CASE("a path of a million records needs no stack") {
  constexpr std::size_t kNodes = 1'000'000;
  OrderGraph graph(kNodes);
  for (std::size_t n = 1; n < kNodes; ++n) graph.add(n - 1, n, EdgeClass::kHard, "program-order");
  CHECK(graph.break_circles().empty());
}

// Reachability over every ENTER and EXIT, to compare the step numbers with. A record is taken to
// stand behind the entry into the step it is in: what is certain holds for every place it can have.
class Reachability {
 public:
  Reachability(const Model& m, std::int64_t steps) : steps_(steps) {
    for (const MarkerInfo& k : m.markers) completed_[k.stream].insert(k.step);
  }

  bool before(std::int64_t a_done, int a_worker, std::int64_t b_done) const {
    // The first entry behind a that is recorded, then every barrier, then the exits before b.
    for (std::int64_t step = a_done + 2; step <= steps_; ++step) {
      if (completed_.at(a_worker).count(step) != 0) return b_done >= step;
    }
    return false;
  }

 private:
  std::int64_t steps_;
  std::map<int, std::set<std::int64_t>> completed_;
};

TEST_CASE("two step numbers tell the same as walking the whole graph") {
  std::mt19937 random(7);
  std::size_t pairs = 0;
  for (int round = 0; round < 60; ++round) {
    const int workers = 2 + static_cast<int>(random() % 5);
    const std::int64_t steps = 3 + static_cast<std::int64_t>(random() % 10);
    Job job(workers);
    std::vector<std::int64_t> done;  // of each event: steps its worker had completed
    for (int w = 0; w < workers; ++w) {
      const std::int64_t last = steps - static_cast<std::int64_t>(random() % 2);
      for (std::int64_t step = 1; step <= last; ++step) {
        if (random() % 2 == 0) {
          job.event(w);
          done.push_back(step - 1);
        }
        job.marker(w, step);
      }
    }
    const Model& m = job.model();
    const CollectiveOrder order(m);
    const Reachability graph(m, steps);
    std::vector<CollectivePlace> places;
    for (const EventInfo& e : m.events) {
      places.push_back(order.place(e.stream, e.seq, e.attempt, e.generation));
    }
    for (std::size_t a = 0; a < m.events.size(); ++a) {
      for (std::size_t b = 0; b < m.events.size(); ++b) {
        if (m.events[a].worker == m.events[b].worker) continue;
        ++pairs;
        CHECK(happened_before(places[a], places[b]) ==
              graph.before(done[a], m.events[a].worker, done[b]));
      }
    }
  }
  CHECK(pairs > 10'000);
}

TEST_CASE("collectives order nothing where the tasks count from different numbers") {
  Job job(2);
  for (std::int64_t step = 1; step <= 4; ++step) job.marker(0, step);
  for (std::int64_t step = 21; step <= 24; ++step) job.marker(1, step);
  const CollectiveOrder order(job.model());
  CHECK_FALSE(order.place(0, 15, 0, 0).exits);
  job.model().workers[1].attempts[0].first_step = 1;
  CHECK(CollectiveOrder(job.model()).place(0, 15, 0, 0).exits == 1);
}

TEST_CASE("the accused speaks before its accuser, and peers that both complain are concurrent") {
  Job job(3);
  const std::size_t told = job.event(0);
  const std::size_t told_too = job.event(1);
  const std::size_t origin = job.event(2, {}, "traceback");
  Model& m = job.model();
  for (const std::size_t e : {told, told_too}) {
    m.accusations.push_back(
        {"transport-witness", 0, m.events[e].worker, 2, static_cast<int>(e), {}});
  }
  const LogicalOrder order = order_records(m);
  CHECK(order.conflicts.empty());
  CHECK(events_in_order(order) == std::vector<std::size_t>{origin, told, told_too});
  CHECK(cell_of(order, told) == cell_of(order, told_too));
  CHECK(cell_of(order, origin) < cell_of(order, told));
}

TEST_CASE("an error that repeats another task's words comes after it; a contradiction is kept") {
  Job job(2);
  const std::size_t wrapped = job.event(
      0, {{"inner_text", "End of sequence reached"}, {"communication", "1"}}, "traceback");
  for (std::int64_t step = 1; step <= 6; ++step) job.marker(0, step);
  for (std::int64_t step = 1; step <= 6; ++step) job.marker(1, step);
  const std::size_t raised =
      job.event(1, {{"message", "End of sequence reached"}, {"communication", "0"}}, "traceback");
  const LogicalOrder order = order_records(job.model());
  REQUIRE(order.conflicts.size() >= 1);
  CHECK(events_in_order(order) == std::vector<std::size_t>{wrapped, raised});
}

}  // namespace
}  // namespace tfpm
