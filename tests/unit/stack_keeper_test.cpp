#include "ingest/stack_keeper.h"

#include <catch2/catch.hpp>
#include <string>

#include "support/parse_text.h"

namespace tfpm {
namespace {

// A dump of one thread; its second line stands `apart` lines below its first.
Record make_dump(const std::string& text, std::uint64_t line, std::uint64_t apart = 1) {
  Record record;
  record.kind = RecordKind::kStacks;
  record.text = text;
  record.place = {line * 100, line};
  std::uint64_t at = line;
  for (std::size_t end = text.find('\n'); end != std::string::npos;
       end = text.find('\n', end + 1)) {
    at += apart;
    record.marks.push_back({end + 1, {at * 100, at}});
  }
  return record;
}

const char* const kDump =
    "Timeout (0:05:00)!\nThread 0x01 (most recent call first):\n  File \"/app/a.py\", line 5 in f";

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("a dump in a log becomes stack rows at its own lines") {
  StackKeeper keeper;
  // Lines of other tasks stand between those of this one.
  keeper.add(make_dump(kDump, 10, 3));
  CollectingSink sink;
  keeper.emit("worker-1", sink);
  const std::string rows = sink.text();
  CHECK(rows.find("stack  line=10  byte_offset=1000  owner=\"worker-1\"") != std::string::npos);
  CHECK(rows.find("stack_thread  stack_id=@stack#0  line=13") != std::string::npos);
  CHECK(rows.find("frame=\"f (/app/a.py:5)\"  frame_line=16") != std::string::npos);
}

TEST_CASE("of a watchdog that repeats itself the first and last dumps are kept") {
  StackKeeper keeper;
  for (std::uint64_t i = 0; i < 100; ++i) keeper.add(make_dump(kDump, 10 * i + 1));
  CollectingSink sink;
  keeper.emit(std::nullopt, sink);
  const std::string rows = sink.text();
  CHECK(count(rows, "stack  line=") == StackKeeper::kFirst + StackKeeper::kLast);
  CHECK(rows.find("stack  line=1 ") != std::string::npos);
  CHECK(rows.find("stack  line=991 ") != std::string::npos);
}

}  // namespace tfpm
