// What was made to look things up instead of comparing all with all must still find the same. That
// it stays fast is checked by tests/bench/scale.
#include <algorithm>
#include <catch2/catch.hpp>

#include "align/attempts.h"
#include "align/model.h"
#include "engine/hypothesis.h"

namespace tfpm {
namespace {

WorkerInfo worker(const std::string& name, int instance, const std::string& host) {
  WorkerInfo out;
  out.name = name;
  out.instance = instance;
  out.host = host;
  return out;
}

ExitInfo exit_of_rank(std::int64_t rank) {
  ExitInfo out;
  out.rank = rank;
  return out;
}

ExitInfo exit_on(const std::string& host) {
  ExitInfo out;
  out.host = host;
  return out;
}

TEST_CASE("a name means the first process that claims it") {
  Model m;
  m.workers = {worker("worker-1", 1, ""), worker("worker-1", 0, ""), worker("worker-2", 0, "")};
  CHECK(m.find_worker("worker-2") == -1);
  m.index_workers();
  CHECK(m.find_worker("worker-1") == 1);
  CHECK(m.find_worker("worker-2") == 2);
  CHECK(m.find_worker("worker-3") == -1);
}

TEST_CASE("an exit by host is nobody's where two tasks run there") {
  Model m;
  m.workers = {worker("worker-0", 0, "a"), worker("worker-1", 0, "b"), worker("worker-2", 0, "b"),
               worker("rank-7", 0, "")};
  m.index_workers();
  StreamInfo stream;
  stream.tag = "3";
  stream.worker = 2;
  m.streams = {stream};
  const ExitOwners owners(m);
  CHECK(owners.worker_of(exit_on("a")) == 0);
  CHECK(owners.worker_of(exit_on("b")) == -1);
  CHECK(owners.worker_of(exit_on("c")) == -1);
  CHECK(owners.worker_of(exit_on("")) == -1);
  CHECK(owners.worker_of(exit_of_rank(3)) == 2);
  CHECK(owners.worker_of(exit_of_rank(7)) == 3);
  CHECK(owners.worker_of(exit_of_rank(8)) == -1);
}

Claim claim(std::int64_t worker, const std::string& failure_class, std::int64_t step) {
  Claim out;
  out.worker = worker;
  out.generation = 0;
  out.failure_class = failure_class;
  out.kind = "own-words";
  out.step_lo = out.step_hi = step;
  out.weight_db = 30;
  return out;
}

TEST_CASE(
    "the same fault on two thousand tasks at one step is one hypothesis, at another a second") {
  std::vector<Claim> claims;
  for (std::int64_t w = 1; w <= 2000; ++w)
    claims.push_back(claim(w, "user-exception", w == 9 ? 4 : 3));
  JobFacts facts;
  facts.steps[0] = {};
  const std::vector<Hypothesis> all = build_hypotheses(claims, facts, {});
  REQUIRE(all.size() == 2);
  const auto& many = all[0].workers.size() > 1 ? all[0] : all[1];
  const auto& lone = all[0].workers.size() > 1 ? all[1] : all[0];
  CHECK(many.workers.size() == 1999);
  CHECK(std::is_sorted(many.workers.begin(), many.workers.end()));
  CHECK(many.items.size() == 1999);
  CHECK(lone.workers == std::vector<std::int64_t>{9});
}

}  // namespace
}  // namespace tfpm
