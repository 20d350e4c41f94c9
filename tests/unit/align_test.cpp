// Alignment from rows as ingest writes them: who, which run, at which step, how it ended, who names
// whom.
#include "align/align.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <deque>

#include "ingest/learner.h"
#include "store/database.h"
#include "store/row_writer.h"

namespace tfpm {
namespace {

// A small store: one log per task, made line by line.
class Case {
 public:
  Case() : db_(open()), rows_(db_) {}

  std::int64_t log(const std::string& path, const std::string& task) {
    const std::int64_t source = put({"source", {{"path", path}, {"status", text_value("read")}}});
    rows_.begin_source(source);
    stream_ = put({"stream", {{"tag_kind", text_value("none")}, {"records", int_value(20)}}});
    if (!task.empty()) claim("file", task, 0);
    seq_ = 100;
    learners_.emplace_back();
    streams_.push_back(stream_);
    return stream_;
  }

  void claim(std::string_view kind, const std::string& value, std::int64_t offset) {
    put({"claim_identity",
         {{"stream", stream_},
          {"kind", text_value(kind)},
          {"value", value},
          {"byte_offset", offset}}});
  }

  void step(std::int64_t n, double loss = 1.0) {
    const std::string text = fmt::format("step {} loss {:.4f}", n, loss);
    LearnerRecord r;
    r.seq = static_cast<std::uint64_t>(next());
    r.line = r.seq;
    r.time_us = n * 100'000;
    r.text = text;
    learners_.back().add(r);
  }

  std::int64_t event(std::string_view kind, std::string_view signature,
                     std::vector<std::pair<std::string, std::string>> captures = {}) {
    const std::int64_t at = next();
    const std::int64_t id =
        put({"event",
             {{"byte_offset", at},
              {"line", at},
              {"stream", stream_},
              {"seq", at},
              {"severity", text_value("error")},
              {"kind", text_value(kind)},
              {"signature_id", signature.empty() ? null_value() : text_value(signature)},
              {"record_line", at},
              {"text", text_value("text")}}});
    for (const auto& [name, value] : captures) {
      put({"event_capture", {{"event_id", id}, {"name", name}, {"value", value}}});
    }
    return id;
  }

  void exit(const std::string& task, std::int64_t code, std::int64_t attempt = 0) {
    put({"exit_record",
         {{"line", int_value(1)},
          {"byte_offset", int_value(0)},
          {"what", text_value("exited")},
          {"task", task},
          {"attempt", attempt},
          {"exit_code", code},
          {"text", text_value("exited")}}});
  }

  void restart(std::int64_t pid) {
    const std::int64_t at = next();
    claim("pid", std::to_string(pid), at);
    learners_.back().start_attempt(static_cast<std::uint64_t>(at));
  }

  void run() {
    std::vector<StreamSeries> series;
    for (std::size_t i = 0; i < learners_.size(); ++i) {
      series.push_back(learners_[i].take());
      series.back().stream = streams_[i];
    }
    const Status status = align(db_, std::move(series), {});
    REQUIRE((status.ok() ? "" : status.diagnostic().to_string()) == "");
  }

  std::string text(const std::string& sql) {
    const auto value = db_.query_text(sql);
    REQUIRE(value.ok());
    return value->value_or("NULL");
  }
  std::string ending(const std::string& task) {
    return text("SELECT ending FROM worker WHERE name = '" + task + "'");
  }

 private:
  static Database open() {
    Result<Database> db = Database::create_in_memory();
    REQUIRE(db.ok());
    return std::move(*db);
  }
  std::int64_t next() { return seq_ += 10; }
  std::int64_t put(const Row& row) {
    const Result<std::int64_t> id = rows_.write(row);
    REQUIRE(id.ok());
    return *id;
  }

  Database db_;
  RowWriter rows_;
  std::int64_t stream_ = 0;
  std::int64_t seq_ = 0;
  std::deque<SeriesLearner> learners_;
  std::vector<std::int64_t> streams_;
};

void steps(Case& c, std::int64_t from, std::int64_t to) {
  for (std::int64_t n = from; n <= to; ++n) c.step(n, 2.0 + 0.01 * static_cast<double>(n));
}

const std::vector<std::pair<std::string, std::string>> kPeerGone = {
    {"communication", "1"}, {"fatal", "1"},    {"inner_text", "Socket closed"},
    {"hop_job", "worker"},  {"hop_task", "1"}, {"hop_method", "/tensorflow.WorkerService/RecvBuf"}};

}  // namespace

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

TEST_CASE("clock offsets follow from shared steps") {
  Case c;
  c.log("logs/worker-0.log", "worker-0");
  steps(c, 1, 20);
  c.log("logs/worker-1.log", "worker-1");
  steps(c, 1, 20);
  c.run();
  CHECK(c.text("SELECT clock_offset_us FROM worker WHERE name = 'worker-1'") == "0");
  CHECK(c.text("SELECT clock_class FROM worker WHERE name = 'worker-1'") == "A");
}

}  // namespace tfpm
