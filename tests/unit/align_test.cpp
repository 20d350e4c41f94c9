// Alignment from rows as ingest writes them: who, which run, at which step, how it ended, who names
// whom.
#include "align_case.h"

namespace tfpm {
namespace {

using test::Case;
using test::steps;

const std::vector<std::pair<std::string, std::string>> kPeerGone = {
    {"communication", "1"}, {"fatal", "1"},    {"inner_text", "Socket closed"},
    {"hop_job", "worker"},  {"hop_task", "1"}, {"hop_method", "/tensorflow.WorkerService/RecvBuf"}};

std::vector<std::pair<std::string, std::string>> lost(const std::string& job,
                                                      const std::string& task,
                                                      const std::string& method) {
  return {{"communication", "1"},
          {"fatal", "1"},
          {"inner_text", "recvmsg:Connection reset by peer"},
          {"hop_job", job},
          {"hop_task", task},
          {"hop_method", method}};
}

constexpr const char* kNamed =
    "SELECT coalesce(group_concat(w.name), '') FROM accusation a JOIN worker w ON w.id = "
    "a.accused_worker_id "
    "WHERE a.kind = 'transport-witness' AND a.void IS NULL";

}  // namespace

TEST_CASE("a call into a task's eager service that breaks off names that task") {
  Case c;
  c.log("logs/chief-0.log", "chief-0");
  steps(c, 1, 16);
  c.event("traceback", "", lost("ps", "1", "/tensorflow.eager.EagerService/Enqueue"));
  for (const char* task : {"ps-0", "ps-1"}) c.log(std::string("logs/") + task + ".log", task);
  c.run();
  CHECK(c.text(kNamed) == "ps-1");
}

TEST_CASE("a leader that is lost by all is named when its own log tells that it was no victim") {
  const auto gone = lost("worker", "0", "/tensorflow.WorkerService/CompleteInstance");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"silent", "worker-0"}, {"victim", ""}, {"missing", ""}};
  for (const auto& [leaders_log, named] : cases) {
    Case c;
    if (leaders_log != "missing") {
      c.log("logs/worker-0.log", "worker-0");
      steps(c, 1, 16);
      if (leaders_log == "victim") c.event("traceback", "", kPeerGone);
    }
    c.log("logs/worker-1.log", "worker-1");
    steps(c, 1, 16);
    c.event("traceback", "", gone);
    c.cluster("worker=h0:1,h1:1");
    c.run();
    INFO(leaders_log);
    CHECK(c.text(kNamed) == named);
  }
}

TEST_CASE("a task with an exception of its own crashed, its peer is a victim that names it") {
  Case c;
  c.log("logs/worker-0.log", "worker-0");
  steps(c, 1, 16);
  c.event("traceback", "", kPeerGone);
  c.log("logs/worker-1.log", "worker-1");
  steps(c, 1, 16);
  c.event("traceback", "", {{"communication", "0"}, {"fatal", "1"}, {"exception", "ValueError"}});
  c.run();
  CHECK(c.ending("worker-0") == "victim");
  CHECK(c.ending("worker-1") == "crashed");
  CHECK(c.text("SELECT w.name FROM accusation a JOIN worker w ON w.id = a.accused_worker_id WHERE "
               "a.kind = 'transport-witness' AND a.void IS NULL") == "worker-1");
  CHECK(c.text("SELECT step_lo || '-' || step_hi FROM event WHERE worker_id = 2") == "17-17");
}

TEST_CASE("a log that repeats another one is left out, a peer's of the same moments is not") {
  Case c;
  const auto print = [&c](const std::string& path, const std::string& task, std::int64_t lines) {
    c.log(path, task);
    for (std::int64_t i = 0; i < lines; ++i) {
      c.event("lifecycle", "server-started", {}, 1'000'000'000'123 + i * 500'077);
    }
  };
  print("logs/worker-0.log", "worker-0", 20);
  print("logs/worker-1.log", "worker-1", 20);
  print("logs/console.log", "", 20);  // of the first: it says nothing of itself
  print("logs/short.log", "worker-1", 7);
  c.run();
  CHECK(c.text("SELECT count(*) FROM worker WHERE has_log") == "2");
  CHECK(c.text("SELECT group_concat(s.path) FROM log_copy JOIN source s ON s.id = source_id") ==
        "logs/console.log");
  CHECK(c.text("SELECT count(*) FROM event") == "47");
}

TEST_CASE("a crash behind the exception that tells of a lost peer is part of the tear-down") {
  Case c;
  c.log("logs/worker-0.log", "worker-0");
  steps(c, 1, 16);
  c.event("traceback", "", kPeerGone);
  c.event("crash", "", {{"crash", "Segmentation fault"}});
  c.exit("worker-0", 139);
  c.log("logs/worker-1.log", "worker-1");
  steps(c, 1, 16);
  c.event("crash", "", {{"crash", "Segmentation fault"}});
  c.event("traceback", "", {{"communication", "1"}, {"fatal", "1"}});
  c.run();
  CHECK(c.ending("worker-0") == "victim");
  CHECK(c.ending("worker-1") == "crashed");
}

TEST_CASE("how far an iterator runs ahead is counted in the task's own lines") {
  // Ten lines of the file from one to the next, as where several tasks write into it.
  Case c;
  std::int64_t near = 0;
  for (const char* task : {"worker-0", "worker-1"}) {
    c.log(std::string("logs/") + task + ".log", task);
    for (std::int64_t n = 1; n <= 20; ++n) {
      c.step(n);
      c.last_words("step #");
      if (task[7] != '1') continue;
      if (n == 2) c.last_words("opening the first file");
      if (n == 17) near = c.last_words("opening the second file");
    }
  }
  c.run();
  CHECK(c.text("SELECT group_concat(event_id) FROM odd_line_event") == std::to_string(near));
}

TEST_CASE("an exception after which steps go on is recovered") {
  Case c;
  c.log("logs/worker-0.log", "worker-0");
  steps(c, 1, 8);
  c.event("traceback", "", {{"communication", "0"}, {"fatal", "1"}});
  steps(c, 9, 16);
  c.exit("worker-0", 0);
  c.run();
  CHECK(c.ending("worker-0") == "finished");
  CHECK(c.text("SELECT outcome FROM event WHERE kind = 'traceback'") == "progressed_after");
}

TEST_CASE("exit 0 while the peers fail in a collective is left early") {
  Case c;
  c.log("logs/worker-0.log", "worker-0");
  steps(c, 1, 18);
  c.event("traceback", "", kPeerGone);
  c.exit("worker-0", 1);
  c.log("logs/worker-1.log", "worker-1");
  steps(c, 1, 18);
  c.exit("worker-1", 0);
  c.run();
  CHECK(c.ending("worker-1") == "left-early");
}

TEST_CASE("a log that stops is silent with 137, cut with 1, and a crash with 139") {
  for (const auto& [code, ending] :
       {std::pair<std::int64_t, const char*>{137, "silent"}, {1, "cut"}, {139, "crashed"}}) {
    Case c;
    c.log("logs/worker-0.log", "worker-0");
    steps(c, 1, 12);
    c.event("traceback", "", kPeerGone);
    c.log("logs/worker-1.log", "worker-1");
    steps(c, 1, 12);
    c.exit("worker-1", code);
    c.run();
    CHECK(c.ending("worker-1") == ending);
  }
}

TEST_CASE("a restart on all tasks opens a generation; repeated steps are superseded") {
  Case c;
  for (const char* task : {"worker-0", "worker-1"}) {
    c.log(std::string("logs/") + task + ".log", task);
    c.claim("pid", "100", 50);
    steps(c, 1, 24);
    c.event("traceback", "", {{"communication", "0"}, {"fatal", "1"}});
    c.restart(200);
    steps(c, 21, 40);
  }
  c.exit("worker-0", 0, 1);
  c.exit("worker-1", 0, 1);
  c.run();
  CHECK(c.text("SELECT max(generation) FROM attempt") == "1");
  CHECK(c.text("SELECT count(*) FROM step_marker WHERE superseded = 1") == "8");
  CHECK(c.text("SELECT group_concat(ending) FROM (SELECT ending FROM attempt WHERE worker_id = 1 "
               "ORDER BY n)") == "crashed,finished");
}

TEST_CASE("a server opened behind the steps is another process's, even where no step repeats") {
  Case c;
  for (const char* task : {"worker-0", "worker-1"}) {
    c.log(std::string("logs/") + task + ".log", task);
    c.event("lifecycle", "server-started");
    steps(c, 1, 22);
    c.event("lifecycle", "b-cpu-features");
    c.event("lifecycle", "server-started");
    steps(c, 23, 40);
    c.exit(task, 143, 0);
    c.exit(task, 0, 1);
  }
  c.run();
  CHECK(c.text("SELECT group_concat(n || ':' || first_step || '-' || last_step) FROM attempt "
               "WHERE worker_id = 1") == "0:1-22,1:23-40");
}

TEST_CASE("a process known by its rank alone is named by its server's address") {
  Case c;
  c.log("slurm-1.out", "");
  c.claim("rank", "0", 10);
  c.claim("target", "h1:2222", 20);
  c.log("slurm-2.out", "");
  c.claim("rank", "1", 10);
  c.claim("target", "h2:2222", 20);
  c.log("slurm-3.out", "");
  c.claim("rank", "2", 10);
  c.claim("target", "h9:2222", 20);
  c.cluster("chief=h1:2222|ps=h2:2222");
  c.run();
  CHECK(c.text("SELECT group_concat(name) FROM (SELECT name FROM worker ORDER BY name)") ==
        "chief-0,ps-0,rank-2");
}

TEST_CASE("a process is named by its file; what it claims to be is kept beside it") {
  Case c;
  c.log("logs/worker-2.log", "worker-2");
  c.claim("tf_config", "worker-1", 40);
  c.log("logs/node17.out", "");
  c.claim("strategy", "worker-0", 40);
  c.run();
  CHECK(c.text("SELECT claims FROM worker WHERE name = 'worker-2'") == "worker-1");
  CHECK(c.text("SELECT name_basis FROM worker WHERE name = 'worker-0'") == "strategy");
}

TEST_CASE(
    "logs of one task on two hosts are two processes, in two folders of one host they are one") {
  Case c;
  c.log("a/worker-1.log", "worker-1");
  c.claim("host", "node-a", 10);
  c.log("b/worker-1.log", "worker-1");
  c.claim("host", "node-b", 10);
  c.log("out/worker-0.log", "worker-0");
  c.claim("host", "node-c", 10);
  c.log("err/worker-0.log", "worker-0");
  c.claim("host", "node-c", 10);
  c.run();
  CHECK(c.text("SELECT group_concat(name || '/' || instance || '@' || host) FROM (SELECT * FROM "
               "worker ORDER BY id)") == "worker-0/0@node-c,worker-1/0@node-a,worker-1/1@node-b");
}

TEST_CASE("a lone log without a name is a process when it tells of a failure, named by its file") {
  Case c;
  c.log("logs/train.log", "");
  c.event("traceback", "", {{"communication", "0"}, {"fatal", "1"}});
  c.run();
  CHECK(c.text("SELECT name FROM worker") == "train");
}

TEST_CASE("a folder names a task only where it tells files of one name apart") {
  Case lone;
  lone.log("collected/train.log", "");
  lone.claim("pid", "100", 10);
  lone.run();
  CHECK(lone.text("SELECT name FROM worker") == "train");
  Case two;
  for (const char* path : {"node3/train.log", "node4/train.log"}) {
    two.log(path, "");
    two.claim("pid", "100", 10);
  }
  two.run();
  CHECK(two.text("SELECT group_concat(name) FROM (SELECT name FROM worker ORDER BY name)") ==
        "node3,node4");
}

TEST_CASE("a rank that a stall report names is accused while no step follows") {
  Case c;
  c.log("logs/rank-1.log", "");
  c.claim("rank", "1", 10);
  steps(c, 1, 9);
  c.event("signature", "horovod-missing-ranks", {{"rank", "0"}});
  c.log("logs/rank-0.log", "");
  c.claim("rank", "0", 10);
  steps(c, 1, 9);
  c.run();
  CHECK(c.text("SELECT a.kind || ' ' || w.name FROM accusation a JOIN worker w ON w.id = "
               "a.accused_worker_id") == "stall-missing rank-0");
}

TEST_CASE("clock offsets follow from shared steps") {
  Case c;
  c.log("logs/worker-0.log", "worker-0");
  steps(c, 1, 20);
  c.log("logs/worker-1.log", "worker-1");
  steps(c, 1, 20);
  c.run();
  CHECK(c.text("SELECT clock_offset_us FROM worker WHERE name = 'worker-1'") == "0");
  CHECK(c.text("SELECT clock_class FROM worker WHERE name = 'worker-1'") == "C");
}

TEST_CASE("alignment finds the same on one thread and on several") {
  const auto rows_on = [](unsigned threads) {
    Case c;
    for (int w = 0; w < 40; ++w) {
      c.log(fmt::format("logs/worker-{}.log", w), fmt::format("worker-{}", w));
      c.clock(400'000, w * 1'000'003);
      steps(c, 1, 30);
      c.event("signature", "ckpt-saved", {{"prefix", "ckpt/ckpt-30"}});
      steps(c, 31, 40);
    }
    AlignOptions options;
    options.threads = threads;
    c.run(options);
    return c.text(
               "SELECT group_concat(name || ' ' || clock_offset_us || ' ' || clock_error_us) "
               "FROM worker") +
           c.text(
               "SELECT group_concat(stream || ' ' || seq || ' ' || step || ' ' || attempt || ' ' "
               "|| loss) FROM step_marker") +
           c.text(
               "SELECT group_concat(id || ' ' || step_lo || ' ' || rank) FROM event JOIN "
               "logical_order USING(id)");
  };
  const std::string rows = rows_on(1);
  CHECK(rows.find("worker-39") != std::string::npos);
  CHECK(rows == rows_on(3));
}

}  // namespace tfpm
