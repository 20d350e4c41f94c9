// The small blocks under the log reader: chunks, fragments, clocks, context, identities.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "ingest/chunk_reader.h"
#include "ingest/context_window.h"
#include "ingest/identity.h"
#include "ingest/kept_record.h"
#include "ingest/log_clock.h"
#include "ingest/log_index.h"
#include "ingest/shape_filter.h"
#include "ingest/splitter.h"
#include "support/parse_text.h"

namespace tfpm {
namespace {

std::vector<std::string> pieces_of(std::string_view chunk) {
  Splitter splitter;
  splitter.reset(chunk);
  std::vector<std::string> out;
  for (Piece piece; splitter.next(piece);) {
    out.push_back(std::string(chunk.substr(piece.begin, piece.end - piece.begin)) +
                  (piece.ends_line ? "$" : ""));
  }
  return out;
}

std::vector<std::string> chunks_of(const std::string& text, std::size_t step) {
  MemoryStream stream(text, step);
  ChunkReader reader(stream);
  std::vector<std::string> out;
  for (Chunk chunk; reader.next(chunk);) out.emplace_back(chunk.text);
  return out;
}

}  // namespace

TEST_CASE("fragments end at line feeds, carriage returns and runs of backspaces") {
  using Pieces = std::vector<std::string>;
  CHECK(pieces_of("a\nb\r\nc") == Pieces{"a$", "b", "$", "c"});
  CHECK(pieces_of("1/9\b\b\b\r2/9\n") == Pieces{"1/9", "", "2/9$"});
  CHECK(pieces_of("\n\n") == Pieces{"$", "$"});
  CHECK(pieces_of("").empty());
  const std::string wide(200, 'x');
  CHECK(pieces_of(wide + "\n" + wide) == Pieces{wide + "$", wide});
}

TEST_CASE("chunks end at line ends whatever the reads are") {
  std::string text;
  for (int i = 0; i < 40'000; ++i) text += "line number " + std::to_string(i) + "\n";
  text += "torn";
  for (const std::size_t step : {std::size_t{1000}, std::size_t{65'536}, text.size()}) {
    const std::vector<std::string> chunks = chunks_of(text, step);
    std::string joined;
    for (const std::string& chunk : chunks) {
      CHECK((chunk.ends_with('\n') || chunk == "torn"));
      joined += chunk;
    }
    CHECK(joined == text);
  }
}

TEST_CASE("a line without end is cut at the limit") {
  const std::string text(3 * kMaxLineBytes + 5, 'x');
  const std::vector<std::string> chunks = chunks_of(text, text.size());
  REQUIRE(chunks.size() == 4);
  CHECK(chunks[0].size() == kMaxLineBytes);
}

TEST_CASE("UTF-16 becomes UTF-8 and keeps the source's offsets") {
  const std::string text("\xff\xfeh\0i\0\n\0\xe9\0\n\0x\0", 14);
  MemoryStream stream(text, 3);
  ChunkReader reader(stream);
  Chunk chunk;
  REQUIRE(reader.next(chunk));
  CHECK(chunk.text == "hi\n\xc3\xa9\n");
  CHECK(chunk.source_offset(0) == 2);
  CHECK(chunk.source_offset(3) == 8);
  REQUIRE(reader.next(chunk));
  CHECK(chunk.text == "x");
  CHECK(chunk.source_offset(0) == 12);
}

TEST_CASE("stamps without a year or a date are completed from their neighbours") {
  constexpr std::int64_t kHour = 3'600'000'000;
  constexpr std::int64_t kDay = 24 * kHour;
  LogClock clock;
  const Stamp full{20'517 * kDay + 23 * kHour, StampBasis::kLocal};  // 2026-03-05 23:00
  CHECK(clock.resolve(full) == full.time_us);
  CHECK(clock.resolve({23 * kHour + 1, StampBasis::kTimeOnly}) == full.time_us + 1);
  CHECK(clock.resolve({1 * kHour, StampBasis::kTimeOnly}) == full.time_us + 2 * kHour);
  CHECK(clock.resolve({}) == std::nullopt);
}

TEST_CASE("local stamps beside those since the epoch tell the zone") {
  constexpr std::int64_t kSecond = 1'000'000;
  constexpr std::int64_t kHour = 3600 * kSecond;
  constexpr std::int64_t kStart = 20'517 * 24 * kHour + 12 * kHour;
  LogClock clock;
  std::int64_t now = kStart;
  for (int i = 0; i < 4; ++i) {
    CHECK(clock.resolve({now += kSecond, StampBasis::kEpoch}) == now);
    const std::int64_t local = (now += kSecond) - 7 * kHour;
    // Two changes might be a pause; the third tells.
    CHECK(clock.resolve({local, StampBasis::kLocal}) == (i == 0 ? local : now));
  }
  CHECK(clock.zone_us() == -7 * kHour);
  LogClock paused;
  CHECK(paused.resolve({now, StampBasis::kEpoch}) == now);
  CHECK(paused.resolve({now += kHour / 2, StampBasis::kLocal}) == now);
  CHECK(paused.resolve({now += kSecond, StampBasis::kEpoch}) == now);
  CHECK(paused.resolve({now += kSecond, StampBasis::kLocal}) == now);
  CHECK(paused.zone_us() == 0);
}

TEST_CASE("context comes from before and behind, also across chunks") {
  Chunk first;
  first.text = "one\ntwo\nthree\nfour\n";
  Chunk second;
  second.text = "five\nsix\nseven\neight\n";
  second.offset = first.text.size();
  ContextWindow window;
  ContextSnapshot at_end;
  ContextSnapshot at_begin;
  window.begin_chunk(first);
  window.take(at_end, 4, {14, 18});
  window.end_chunk(5);
  window.begin_chunk(second);
  CHECK(at_end.first_line == 1);
  CHECK(at_end.text == "one\ntwo\nthree\nfour\nfive\nsix\nseven\n");
  CHECK(at_end.offset == 0);
  window.take(at_begin, 5, {0, 4});
  CHECK(at_begin.first_line == 2);
  CHECK(at_begin.text == "two\nthree\nfour\nfive\nsix\nseven\neight\n");
}

TEST_CASE("a record deep inside a long line is shown from its own beginning") {
  const std::string bars(50'000, '=');
  const std::string text = "before\n" + bars + "ERROR here\nbehind\n";
  Chunk chunk;
  chunk.text = text;
  ContextWindow window;
  ContextSnapshot out;
  window.begin_chunk(chunk);
  const auto begin = static_cast<std::uint32_t>(7 + bars.size());
  window.take(out, 2, {begin, begin + 10});
  CHECK(out.first_line == 2);
  CHECK(out.text == "ERROR here\nbehind\n");
  CHECK(out.offset == begin);
}

TEST_CASE("the first and the last records of a kind are kept, all are counted") {
  CappedRecords records(2, 3);
  const auto settle = [&](bool grow) {
    records.settle(
        grow, 1, [](const RecordRef& record, KeptRecord& kept, bool) { kept.assign(record, 10); });
  };
  std::uint64_t line = 0;
  for (const int round : {1, 4, 10}) {
    for (int i = 0; i < round; ++i) {
      RecordRef record;
      record.text = "text";
      record.place.line = ++line;
      records.add(record);
    }
    settle(true);
  }
  std::vector<std::uint64_t> lines;
  records.for_each([&](const KeptRecord& kept) { lines.push_back(kept.ref().place.line); });
  CHECK(lines == std::vector<std::uint64_t>{1, 2, 13, 14, 15});
  CHECK(records.count() == 15);
}

TEST_CASE("blocks and minutes of a log") {
  LogIndex index;
  index.add(0, 1, std::nullopt, LogSeverity::kNone);
  index.add(100, 2, 60'000'000, LogSeverity::kError);
  index.add(70'000, 3, std::nullopt, LogSeverity::kInfo);
  REQUIRE(index.blocks().size() == 2);
  CHECK(index.blocks()[1].line == 3);
  CHECK(index.blocks()[1].time_us == 60'000'000);
  CHECK(index.minutes().at(-1)[0] == 1);
  CHECK(index.minutes().at(1)[3] == 1);
  CHECK(index.minutes().at(1)[1] == 1);
}

TEST_CASE("a form of line is frequent once it was seen a dozen times") {
  ShapeFilter filter;
  for (int i = 0; i < 12; ++i) CHECK_FALSE(filter.frequent("step " + std::to_string(10 + i)));
  CHECK(filter.frequent("step 99"));
  CHECK_FALSE(filter.frequent("opening part-17"));
  CHECK_FALSE(filter.frequent(""));
}

TEST_CASE("who wrote it, by text and by path") {
  CHECK(strategy_task("x, task_type = 'worker', task_id = 12, num_workers = 3") == "worker-12");
  CHECK(strategy_task("task_type = 'worker', task_id = None").empty());
  CHECK(device_task("Using MirroredStrategy with devices ('/job:worker/task:1/device:CPU:0',)") ==
        "worker-1");
  CHECK(device_task("Using MirroredStrategy with devices ('/job:localhost/replica:0/task:0/"
                    "device:GPU:0',)")
            .empty());
  CHECK(server_target("Started server with target: grpc://worker-0:2222") == "worker-0:2222");
  CHECK(task_of_path("logs/worker_03/stderr.log") == "worker-3");
  CHECK(task_of_path("run7/rank12.err") == "rank-12");
  CHECK(task_of_path("logs/resnet-ps-0.log") == "ps-0");
  CHECK(task_of_path("networker-1.log").empty());
  CHECK(task_of_path("logs/train.log").empty());
  CHECK(is_startup_file("tensorflow/core/platform/cpu_feature_guard.cc"));
  CHECK_FALSE(is_startup_file("coordination_service.cc"));
}

TEST_CASE("a claim is kept once") {
  IdentityClaims claims;
  claims.add("pid", "17", 3, 100);
  claims.add("pid", "17", 9, 900);
  claims.add("pid", "", 10, 950);
  REQUIRE(claims.claims().size() == 1);
  CHECK(claims.claims()[0].line == 3);
}

}  // namespace tfpm
