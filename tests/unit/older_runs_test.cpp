// Runs that stand in one log behind each other: restarts that no process id tells, and runs of an
// earlier launch in a log that was appended to.
#include "align_case.h"

namespace tfpm {
namespace {

using test::Case;
using test::steps;

const std::vector<std::pair<std::string, std::string>> kUncaught = {{"communication", "0"},
                                                                    {"fatal", "1"}};
constexpr const char* kRuns =
    "SELECT group_concat(n || ':' || generation || ':' || ending) FROM (SELECT a.* FROM attempt a "
    "JOIN worker w ON w.id = a.worker_id WHERE w.name = 'worker-1' ORDER BY n)";

}  // namespace

TEST_CASE("a run that ended in the log before the launcher's own is of another generation") {
  Case c;
  for (const char* task : {"worker-0", "worker-1"}) {
    c.log(std::string("logs/") + task + ".log", task);
    c.claim("pid", "100", 50);
    steps(c, 1, 16);
    c.event("traceback", "", kUncaught);
    c.restart(200);
    steps(c, 1, 30);
    c.exit(task, 0);
  }
  c.run();
  CHECK(c.text(kRuns) == "-1:0:crashed,0:1:finished");
  CHECK(c.text("SELECT frontier FROM step_state WHERE generation = 1") == "30");
}

TEST_CASE("another process id inside a run that goes on is no run, where a launcher counts them") {
  Case c;
  for (const char* task : {"worker-0", "worker-1"}) {
    c.log(std::string("logs/") + task + ".log", task);
    c.claim("pid", "100", 50);
    steps(c, 1, 16);
    c.restart(200);
    steps(c, 17, 30);
    c.exit(task, 0);
  }
  c.run();
  CHECK(c.text(kRuns) == "0:0:finished");
}

TEST_CASE("a launched task whose log holds no older run takes part in the launcher's run only") {
  Case c;
  c.log("logs/worker-0.log", "worker-0");
  c.claim("pid", "100", 50);
  steps(c, 1, 16);
  c.event("traceback", "", kUncaught);
  c.restart(200);
  steps(c, 1, 30);
  c.exit("worker-0", 0);
  c.log("logs/worker-1.log", "worker-1");
  steps(c, 1, 30);
  c.exit("worker-1", 0);
  c.run();
  CHECK(c.text(kRuns) == "0:1:finished");
}

TEST_CASE("a process starts up behind an exception that nobody caught") {
  Case c;
  for (const char* task : {"worker-0", "worker-1"}) {
    c.log(std::string("logs/") + task + ".log", task);
    steps(c, 1, 16);
    c.event("traceback", "", kUncaught);
    c.event("signature", "b-cpu-features");
    c.event("traceback", "", kUncaught);
  }
  c.run();
  CHECK(c.text(kRuns) == "0:0:crashed,1:1:crashed");
  CHECK(c.text("SELECT count(*) FROM attempt WHERE n = 1 AND last_step IS NULL") == "2");
}

TEST_CASE("a second uncaught exception is another run's only where other tasks ran again") {
  for (const bool again : {false, true}) {
    Case c;
    c.log("logs/worker-0.log", "worker-0");
    steps(c, 1, 16);
    if (again) c.event("signature", "server-started");
    c.log("logs/worker-1.log", "worker-1");
    steps(c, 1, 16);
    c.event("traceback", "", kUncaught);
    c.event("traceback", "", kUncaught);
    c.run();
    CHECK(c.text(kRuns) == (again ? "0:0:crashed,1:1:crashed" : "0:0:crashed"));
  }
}

TEST_CASE("steps that go back by days of their stamps are another run's, not late lines") {
  for (const std::int64_t hours : {-1, -100}) {
    Case c;
    c.log("logs/worker-1.log", "worker-1");
    steps(c, 1, 24);
    c.clock(1'000'000, hours * 3'600'000'000);
    steps(c, 9, 30);
    c.run();
    CHECK(c.text("SELECT max(n) FROM attempt") == (hours == -100 ? "1" : "0"));
  }
}

TEST_CASE("what an earlier run printed of its cluster is superseded by a later one") {
  Case c;
  c.log("logs/worker-1.log", "worker-1");
  c.claim("pid", "100", 50);
  c.cluster("worker=a:1,b:1");
  steps(c, 1, 16);
  c.restart(200);
  c.cluster("worker=c:1,d:1");
  steps(c, 1, 16);
  c.run();
  CHECK(c.text("SELECT group_concat(text || ' ' || superseded) FROM tf_config") ==
        "worker=a:1,b:1 1,worker=c:1,d:1 0");
}

}  // namespace tfpm
