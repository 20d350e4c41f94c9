// Which of several losses says where values stop being finite, and a loss that is finite again.
#include <cmath>

#include "align_case.h"

namespace tfpm {
namespace {

using test::Case;

constexpr const char* kOnsets =
    "SELECT group_concat(x, ' ') FROM (SELECT w.name || ':' || n.mode || ':' || n.step || ':' || "
    "n.finite_after AS x FROM nan_onset n JOIN worker w ON w.id = n.worker_id ORDER BY w.name)";

double own_loss(int task, std::int64_t step) {
  return 2.0 + 0.01 * static_cast<double>((step * 7 + task * 5) % 31);
}

// Two tasks of thirty steps; task 1's own loss is bad from step 20 on, the reduced one, too, task
// 0's from the next step on.
void train(Case& c, bool prints_own) {
  constexpr std::int64_t kSteps = 30, kBad = 20;
  for (int task = 0; task < 2; ++task) {
    c.log(fmt::format("logs/worker-{}.log", task), fmt::format("worker-{}", task));
    for (std::int64_t n = 1; n <= kSteps; ++n) {
      const bool bad = n > kBad || (n == kBad && task == 1);
      if (prints_own) {
        c.line(n, fmt::format("local loss at step {} = {:.4f}", n,
                              bad ? std::nan("") : own_loss(task, n)));
      }
      c.step(n, n >= kBad ? std::nan("") : 3.0 - 0.01 * static_cast<double>(n));
    }
    c.exit(fmt::format("worker-{}", task), 0);
  }
  c.run();
}

}  // namespace

TEST_CASE("a reduced loss alone says no order of tasks") {
  Case c;
  train(c, false);
  CHECK(c.text(kOnsets) == "worker-0:reduced:20:0 worker-1:reduced:20:0");
}

TEST_CASE("a task's own loss in a line before the reduced one says where it began") {
  Case c;
  train(c, true);
  CHECK(c.text(kOnsets) == "worker-0:local:21:0 worker-1:local:20:0");
  CHECK(c.text("SELECT group_concat(DISTINCT name) FROM marker_value") == "local loss at step");
  CHECK(c.text("SELECT last_finite FROM loss_span WHERE worker_id = 1") == "20");
}

TEST_CASE("the mean that closes an epoch is no second loss") {
  Case c;
  for (int task = 0; task < 2; ++task) {
    c.log(fmt::format("logs/worker-{}.log", task), fmt::format("worker-{}", task));
    for (std::int64_t epoch = 0; epoch < 3; ++epoch) {
      for (std::int64_t batch = 1; batch <= 10; ++batch) {
        c.line(epoch * 10 + batch,
               fmt::format("{}/10 - loss: {:.4f}", batch, own_loss(task, epoch * 10 + batch)));
      }
      c.line(epoch * 10 + 10,
             fmt::format("10/10 - loss: {:.4f} - val_loss: 2.5", own_loss(task, epoch)));
    }
  }
  c.run();
  CHECK(
      c.text("SELECT max(n) FROM (SELECT count(*) AS n FROM marker_value GROUP BY stream, name)") ==
      "3");
}

TEST_CASE("a loss that is not finite for a step and finite in the next is a passing one") {
  Case c;
  for (int task = 0; task < 3; ++task) {
    c.log(fmt::format("logs/worker-{}.log", task), fmt::format("worker-{}", task));
    for (std::int64_t n = 1; n <= 20; ++n) {
      c.step(n, task == 2 && n == 8 ? std::nan("") : own_loss(task, n));
    }
    c.exit(fmt::format("worker-{}", task), 0);
  }
  c.run();
  CHECK(c.text(kOnsets) == "worker-2:local:8:1");
  CHECK(c.text("SELECT name || ' ' || alone || ' ' || finished FROM nan_passing") ==
        "worker-2 1 1");
}

}  // namespace tfpm
