#include "ingest/log_reader.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "ingest/reader_literals.h"
#include "ingest/row_buffer.h"
#include "support/parse_text.h"

namespace tfpm {
namespace {

std::vector<Signature> signatures() {
  Signature oom;
  oom.id = "oom";
  oom.role = SignatureRole::kRoot;
  oom.patterns = {{"ran out of memory trying to allocate (?P<size>\\S+)", "ran out of memory"}};
  Signature saved;
  saved.id = "saved";
  saved.role = SignatureRole::kProgress;
  saved.patterns = {{"Saved checkpoint (?P<prefix>\\S+)", "Saved checkpoint "}};
  Signature stragglers;
  stragglers.id = "stragglers";
  stragglers.patterns = {{"Example stragglers:", "Example stragglers:"}};
  return {oom, saved, stragglers};
}

// Rows of a log read with the signatures above.
class LogRows {
 public:
  explicit LogRows(const std::string& text, std::size_t step = 1 << 16,
                   const std::string& path = "logs/worker-1.log")
      : signatures_(signatures()), matcher_(Matcher::compile(signatures_, kReaderLiterals)) {
    REQUIRE(matcher_.ok());
    LogReader reader(*matcher_, signatures_);
    MemoryStream stream(text, step);
    REQUIRE(reader
                .read({path, std::nullopt}, std::string_view(text).substr(0, kSniffBytes), stream,
                      rows_, series_)
                .ok());
  }

  std::vector<Row> of(std::string_view table) const {
    std::vector<Row> out;
    for (const Row& row : rows_.rows()) {
      if (row.table == table) out.push_back(row);
    }
    return out;
  }
  std::vector<Row> events(std::string_view kind) const {
    std::vector<Row> out;
    for (const Row& row : of("event")) {
      if (text(row, "kind") == kind) out.push_back(row);
    }
    return out;
  }
  // Value of a capture of the n-th event row of all kinds.
  std::string capture(const Row& event, std::string_view name) const {
    const std::vector<Row> all = of("event");
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (to_text(all[i]) != to_text(event)) continue;
      for (const Row& row : of("event_capture")) {
        const auto& ref = std::get<RowRef>(value(row, "event_id"));
        if (ref.index == static_cast<std::int64_t>(i) && text(row, "name") == name) {
          return text(row, "value");
        }
      }
    }
    return {};
  }
  static const Value& value(const Row& row, std::string_view column) {
    const auto found = std::find_if(row.fields.begin(), row.fields.end(),
                                    [&](const Field& f) { return f.column == column; });
    REQUIRE(found != row.fields.end());
    return found->value;
  }
  static std::string text(const Row& row, std::string_view column) {
    const auto* found = std::get_if<std::string>(&value(row, column));
    return found == nullptr ? std::string() : *found;
  }
  static std::int64_t number(const Row& row, std::string_view column) {
    return std::get<std::int64_t>(value(row, column));
  }
  std::string dump() const {
    std::string out;
    for (const Row& row : rows_.rows()) out += to_text(row) + "\n";
    return out;
  }
  const RowBuffer& rows() const { return rows_; }

 private:
  std::vector<Signature> signatures_;
  Result<Matcher> matcher_;
  RowBuffer rows_;
  std::vector<StreamSeries> series_;
};

constexpr const char* kHeader = "2026-03-05 14:05:42,123 INFO train: ";

}  // namespace

TEST_CASE("a signature becomes an event with captures, place and context") {
  const LogRows log(std::string(kHeader) + "one\n" + kHeader + "two\n" + kHeader +
                    "Saved checkpoint /ckpt/ckpt-7\n" + kHeader + "four\n");
  const auto events = log.events("signature");
  REQUIRE(events.size() == 1);
  CHECK(LogRows::number(events[0], "line") == 3);
  CHECK(LogRows::text(events[0], "signature_id") == "saved");
  CHECK(LogRows::text(events[0], "role") == "progress");
  CHECK(LogRows::text(events[0], "text") == "Saved checkpoint /ckpt/ckpt-7");
  CHECK(log.capture(events[0], "prefix") == "/ckpt/ckpt-7");
  CHECK(log.of("context_line").size() == 4);
  CHECK(log.rows().lines() == 4);
  REQUIRE(log.of("claim_identity").size() == 1);
  CHECK(LogRows::text(log.of("claim_identity")[0], "value") == "worker-1");
}

TEST_CASE("a message that two loggers print is one event with the stamp of either") {
  const std::string bare = "INFO:tensorflow:Saved checkpoint /c/ckpt-7\n";
  const std::string timed =
      "I0305 14:05:10.123456 140234567890123 saver.py:260] Saved checkpoint /c/ckpt-7\n";
  for (const std::string& text : {bare + timed, timed + bare}) {
    const LogRows log(text + "INFO:tensorflow:Done.\n");
    const auto events = log.events("signature");
    REQUIRE(events.size() == 1);
    CHECK(LogRows::number(events[0], "line") == 1);
    CHECK(LogRows::text(events[0], "time_basis") == "own");
    CHECK(LogRows::number(log.of("signature_count")[0], "count") == 1);
  }
  // Two saves are two events, and so is a copy that says more.
  CHECK(LogRows(bare + bare).events("signature").size() == 2);
  CHECK(LogRows(bare + timed + "  in 3 s\n").events("signature").size() == 2);
}

TEST_CASE("a traceback inside a JSON field is a traceback") {
  const std::string trace =
      R"(Traceback (most recent call last):\n  File \"/app/train.py\", line 8, in <module>\n    go()\nValueError: bad label 17)";
  for (const std::string& line :
       {R"({"ts": 1772719542, "level": "ERROR", "message": "failed\n)" + trace + "\"}",
        R"({"ts": 1772719542, "level": "ERROR", "message": ")" + trace + "\"}",
        R"({"ts": 1772719542, "level": "ERROR", "message": "failed", "exc_info": ")" + trace +
            "\"}"}) {
    CAPTURE(line);
    const LogRows log(R"({"ts": 1772719541, "level": "INFO", "message": "step 1"})"
                      "\n" +
                      line + "\n");
    const auto events = log.events("traceback");
    REQUIRE(events.size() == 1);
    CHECK(LogRows::number(events[0], "line") == 2);
    CHECK(log.capture(events[0], "exception") == "ValueError");
    CHECK(log.capture(events[0], "message") == "bad label 17");
  }
}

TEST_CASE("UTF-16 without a byte-order mark is read, offsets are the source's") {
  const std::string plain =
      std::string(kHeader) + "one\n" + kHeader + "Saved checkpoint /c/ckpt-7\n";
  for (const bool big : {false, true}) {
    std::string text;
    for (const char c : plain) text += big ? std::string{'\0', c} : std::string{c, '\0'};
    CHECK(looks_like_text(text));
    const LogRows log(text);
    const auto events = log.events("signature");
    REQUIRE(events.size() == 1);
    CHECK(LogRows::number(events[0], "line") == 2);
    CHECK(LogRows::number(events[0], "byte_offset") ==
          static_cast<std::int64_t>(2 * (std::string(kHeader).size() + 4)));
  }
}

TEST_CASE("NCCL's communicators and stall reports become rows") {
  const LogRows log(
      "w-1:42:43 [0] NCCL INFO ncclCommInitRank comm 0x55 rank 1 nranks 4 cudaDev 0 nvmlDev 0 "
      "busId "
      "3b000 commId 0x9a - Init START\n"
      "w-1:42:43 [0] NCCL INFO AllReduce: opCount 1f sendbuff 0x7 recvbuff 0x8 count 16 datatype 7 "
      "op "
      "0 root 0 comm 0x55 [nranks=4] stream 0x5\n"
      "w-1:42:43 [0] NCCL INFO AllReduce: opCount 20 sendbuff 0x7 recvbuff 0x8 count 16 datatype 7 "
      "op "
      "0 root 0 comm 0x55 [nranks=4] stream 0x5\n");
  REQUIRE(log.of("collective_member").size() == 1);
  CHECK(LogRows::text(log.of("collective_member")[0], "phase") == "start");
  REQUIRE(log.of("collective_call").size() == 1);
  CHECK(LogRows::number(log.of("collective_call")[0], "op_count") == 0x20);
  CHECK(LogRows::number(log.of("collective_call")[0], "line") == 3);
}

TEST_CASE("events of a storm are capped, their number is exact") {
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    text += std::string(kHeader) + "ran out of memory trying to allocate " + std::to_string(i) +
            "GiB\n";
  }
  const LogRows log(text);
  const auto events = log.events("signature");
  REQUIRE(events.size() == 128);
  CHECK(log.capture(events.front(), "size") == "0GiB");
  CHECK(log.capture(events[64], "size") == "936GiB");
  CHECK(log.capture(events.back(), "size") == "999GiB");
  REQUIRE(log.of("signature_count").size() == 1);
  CHECK(LogRows::number(log.of("signature_count")[0], "count") == 1000);
}

TEST_CASE("a traceback is one record, cited at its exception") {
  const LogRows log(
      "step 1\nTraceback (most recent call last):\n  File \"/app/train.py\", line 7, in f\n"
      "    raise ValueError(\"bad\")\nValueError: bad\nbye\n");
  const auto events = log.events("traceback");
  REQUIRE(events.size() == 1);
  CHECK(LogRows::number(events[0], "record_line") == 2);
  CHECK(LogRows::number(events[0], "line") == 5);
  CHECK(log.capture(events[0], "exception") == "ValueError");
  CHECK(log.capture(events[0], "communication") == "0");
}

TEST_CASE("tasks listed behind a record are a capture of its event") {
  const LogRows log(
      "I0000 00:00:1796044410.007987    6196 coordination_service.cc:505] Example stragglers:\n"
      "/job:worker/replica:0/task:2\n/job:worker/replica:0/task:1\n");
  const auto events = log.events("signature");
  REQUIRE(events.size() == 1);
  CHECK(log.capture(events[0], "tasks") == "worker-2,worker-1");
}

TEST_CASE("tagged lines are streams of their own, the rest is the platform's") {
  std::string text;
  for (int i = 0; i < 20; ++i) {
    for (const char* rank : {"0", "1"}) {
      text += std::string(rank) + ": step " + std::to_string(i) + "\n";
    }
  }
  text += "srun: error: gpu-n2: task 1: Killed\n";
  const LogRows log(text, 1 << 16, "slurm-1.out");
  const auto streams = log.of("stream");
  REQUIRE(streams.size() == 3);
  CHECK(LogRows::text(streams[0], "tag") == "0");
  CHECK(LogRows::text(streams[2], "tag_kind") == "platform");
  CHECK(log.of("exit_record").size() == 1);
}

TEST_CASE("a task's own file in syslog's form is one stream") {
  const std::string text =
      "Started\nMar  5 14:05:42 gpu17 trainer[42]: step 1\nMar  5 14:05:43 gpu17 trainer[42]: step "
      "2\n"
      "Mar  5 14:05:44 gpu17 trainer[42]: step 3\nValueError: x\n";
  CHECK(LogRows(text).of("stream").size() == 1);
  CHECK(LogRows(text, 1 << 16, "logs/messages").of("stream").size() == 2);
}

TEST_CASE("progress bars, glued headers and escape codes do not hide anything") {
  const LogRows log(
      "\x1b[1m 1/9\x1b[0m - loss: 2.0\b\b\b\b\r 2/9 - loss: 1.5372"
      "2026-03-05 14:05:42,448 ERROR train: ran out of memory \x1b[31mtrying to "
      "allocate\x1b[0m 2GiB\n");
  const auto events = log.events("signature");
  REQUIRE(events.size() == 1);
  CHECK(LogRows::text(events[0], "severity") == "error");
  CHECK(LogRows::number(events[0], "line") == 1);
  CHECK(log.capture(events[0], "size") == "2GiB");
}

TEST_CASE("docker's JSON is unpacked before it is searched") {
  std::string text;
  for (int i = 0; i < 5; ++i) {
    text += R"({"log":"Saved checkpoint \"/ckpt/ckpt-)" + std::to_string(i) +
            R"(\"\n","stream":"stderr","time":"2026-03-05T14:05:42.1Z"})"
            "\n";
  }
  const LogRows log(text, 1 << 16, "a-json.log");
  const auto events = log.events("signature");
  REQUIRE(events.size() == 5);
  CHECK(LogRows::text(events[0], "text") == "Saved checkpoint \"/ckpt/ckpt-0\"");
}

TEST_CASE("a merged log of many ranks keeps the end of a traceback") {
  std::string text;
  const auto line = [&](int rank, const std::string& message) {
    text += std::to_string(rank) + ": " + message + "\n";
  };
  const auto victim = [&](int rank) {
    for (int record = 0; record < 3; ++record) {
      line(rank, std::string(kHeader) +
                     "BaseCollectiveExecutor::StartAbort UNAVAILABLE: Collective ops is aborted "
                     "by: Socket closed");
      for (int i = 0; i < 60; ++i) {
        line(rank,
             "Additional GRPC error information from remote target /job:worker/replica:0/task:7 "
             "while calling /tensorflow.WorkerService/RecvBuf:");
      }
    }
  };
  for (int rank = 100; rank < 300; ++rank) {
    for (int step = 0; step < 4; ++step) {
      line(rank, std::string(kHeader) + "step " + std::to_string(step) + " loss 0.5");
    }
  }
  for (int rank = 100; rank < 290; ++rank) victim(rank);
  line(290, "Traceback (most recent call last):");
  for (int i = 0; i < 6; ++i) {
    line(290, "  File \"/app/train.py\", line 7, in f");
    line(290, "    x = [vocabulary[word] for word in words]");
  }
  line(290, "KeyError: 'k'");
  const LogRows log(text, 1 << 18, "slurm-7.out");
  const auto events = log.events("traceback");
  REQUIRE(events.size() == 1);
  CHECK(log.capture(events[0], "exception") == "KeyError");
}

TEST_CASE("rows do not depend on how the bytes arrive") {
  std::string text;
  for (int i = 0; i < 9000; ++i) {
    text += std::string(kHeader) + "step " + std::to_string(i) + " loss 0.5\n";
    if (i % 700 == 0)
      text += std::string(kHeader) + "Saved checkpoint /c/" + std::to_string(i) + "\n";
    if (i % 900 == 1) {
      text +=
          "Traceback (most recent call last):\n  File \"/app/t.py\", line 7, in f\n    x\n"
          "KeyError: 'k" +
          std::to_string(i) + "'\n";
    }
  }
  const std::string whole = LogRows(text).dump();
  CHECK(LogRows(text, 1009).dump() == whole);
  CHECK(LogRows(text, 1).dump() == whole);
}

TEST_CASE("odd bytes: nothing crashes and lines stay countable") {
  const std::string hole(300'000, '\0');
  CHECK(LogRows("a\n" + hole + "b\nc").rows().lines() == 3);
  CHECK(LogRows(std::string(5000, '\b')).rows().lines() == 1);
  CHECK(LogRows("").rows().lines() == 0);
  CHECK(LogRows("x\r\ny\r\n").rows().lines() == 2);
  std::string noise;
  std::uint32_t state = 1;
  for (int i = 0; i < 200'000; ++i) {
    state = state * 1664525 + 1013904223;
    noise += static_cast<char>(state >> 24);
  }
  CHECK(LogRows(noise).rows().lines() > 0);
}

TEST_CASE("text is told from binary") {
  CHECK(looks_like_text("2026-03-05 step 1\n\x1b[1m 1/9\r\n"));
  CHECK(looks_like_text(std::string("a\n") + std::string(3000, '\0') + "b\n"));
  CHECK(looks_like_text("caf\xe9\n"));
  CHECK_FALSE(
      looks_like_text(std::string_view("\x7f"
                                       "ELF\2\1\1\0\0\0\0\3\0>\0",
                                       15)));
  CHECK_FALSE(looks_like_text(std::string_view("\1\0\2\0\3\0\4\0", 8)));
}

// Most chunks of such a log are not searched as a whole, since nearly all lines are known.
TEST_CASE("rare lines are found between many that look alike") {
  std::string log;
  for (int i = 0; i < 30'000; ++i) {
    const std::string n = std::to_string(10'000 + i);
    log += "2026-03-05 14:05:42,123 - trainer - INFO - step " + n + " loss 0.5123\n";
    if (i % 1000 == 999) log += "Saved checkpoint /ckpt/ckpt-" + n + "\n";
    if (i == 29'500) log += "Allocator ran out of memory trying to allocate 2.5GiB\n";
  }
  const LogRows rows(log);
  const std::vector<Row> events = rows.events("signature");
  REQUIRE(events.size() == 31);
  CHECK(rows.capture(events[0], "prefix") == "/ckpt/ckpt-10999");
  CHECK(rows.capture(events[29], "size") == "2.5GiB");
  CHECK(rows.capture(events[30], "prefix") == "/ckpt/ckpt-39999");
}

TEST_CASE("a line that looks like many others keeps what continues it") {
  std::string log;
  for (int i = 0; i < 20'000; ++i) {
    log += std::string(kHeader) + "step " + std::to_string(10'000 + i) + " loss 0.5\n";
    if (i % 1000 == 900) log += "  Saved checkpoint /c/ckpt-" + std::to_string(i) + "\n";
  }
  const LogRows rows(log);
  const std::vector<Row> events = rows.events("signature");
  REQUIRE(events.size() == 20);
  CHECK(LogRows::text(events[3], "text") == "step 13900 loss 0.5\n  Saved checkpoint /c/ckpt-3900");
  CHECK(rows.capture(events[19], "prefix") == "/c/ckpt-19900");
  CHECK(LogRows::number(rows.of("stream")[0], "records") == 20'000);
  CHECK(rows.rows().lines() == 20'020);
}

}  // namespace tfpm
