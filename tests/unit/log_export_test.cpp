// Which way an export runs, and what is made of its records.
#include "parsers/detail/log_export.h"

#include <catch2/catch.hpp>
#include <limits>
#include <string>
#include <vector>

#include "parsers/detail/time_text.h"
#include "support/parse_text.h"

namespace tfpm {
namespace {

constexpr std::int64_t kSecond = 1'000'000;
constexpr std::int64_t kBegin = 1'772'719'542 * kSecond;

std::vector<std::string> lines_of(const CollectingSink& sink) {
  std::vector<std::string> out;
  for (const Row& row : sink.rows()) {
    if (row.table == kLogLineTable) out.push_back(std::get<std::string>(row.fields[0].value));
  }
  return out;
}

std::size_t problems(const CollectingSink& sink, std::string_view code) {
  std::size_t count = 0;
  for (const Row& row : sink.rows()) {
    if (row.table == "problem") count += std::get<std::string>(row.fields[0].value) == code;
  }
  return count;
}

// Records 0 .. count-1, one a second, `step` apart in the export.
CollectingSink exported(int first, int step, int count, std::size_t size = 1) {
  CollectingSink sink;
  LogExport out(sink);
  const std::string padding(size - 1, 'x');
  for (int i = 0; i < count; ++i) {
    const int n = first + step * i;
    const std::string text = std::to_string(n) + padding;
    ExportedRecord record;
    record.text = text;
    record.time_us = kBegin + n * kSecond;
    out.add(record);
  }
  out.finish();
  return sink;
}

}  // namespace

TEST_CASE("exports of both orders give lines oldest first", "[export]") {
  for (const int count : {1, 2, 150, 5000}) {
    const CollectingSink up = exported(0, 1, count);
    const CollectingSink down = exported(count - 1, -1, count);
    CHECK(lines_of(up) == lines_of(down));
    CHECK(lines_of(up).size() == static_cast<std::size_t>(count));
    CHECK(problems(up, "log-export-newest-first") == 0);
    CHECK(problems(down, "log-export-newest-first") == (count > 1 ? 1 : 0));
  }
}

TEST_CASE("of an export that is newest first and too large the newest part is read", "[export]") {
  const std::size_t kPart = 64 * 1024;
  const CollectingSink sink = exported(999, -1, 1000, kPart);
  const std::vector<std::string> lines = lines_of(sink);
  REQUIRE(lines.size() > 300);
  CHECK(lines.size() * kPart <= LogExport::kMaxHeld);
  CHECK(lines.back().find("\"textPayload\":\"999x") != std::string::npos);
  CHECK(problems(sink, "log-export-too-large") == 1);
}

TEST_CASE("a large export without stamps is read as it stands", "[export]") {
  CollectingSink sink;
  LogExport out(sink);
  const std::string text(LogExport::kMaxHeld / 8, 'y');
  for (int i = 0; i < 80; ++i) out.add({text, std::nullopt, true, {}, {}, {}});
  out.finish();
  CHECK(lines_of(sink).size() == 80);
}

TEST_CASE("a record becomes one line of JSON", "[export]") {
  CollectingSink sink;
  LogExport out(sink);
  out.add({"a \"b\"\n\t\x1b[0m\\", kBegin + 5, true, "pod-1", "tf", "host"});
  out.add({"local", kBegin + kSecond, false, {}, {}, "host"});
  out.finish();
  CHECK(
      lines_of(sink) ==
      std::vector<std::string>{
          R"({"timestamp":"2026-03-05T14:05:42.000005Z","podName":"pod-1","containerName":"tf",)"
          R"("textPayload":"a \"b\"\n\t\u001b[0m\\"})",
          R"({"timestamp":"2026-03-05T14:05:43.000000","_HOSTNAME":"host","textPayload":"local"})"});
}

TEST_CASE("times of exports", "[export]") {
  CHECK(leading_kibana_time("Mar 5, 2026 @ 14:05:42.123")->time_us == kBegin + 123'000);
  CHECK_FALSE(leading_kibana_time("Mar 5, 2026 14:05:42"));
  CHECK(iso_time(0, true) == "1970-01-01T00:00:00.000000Z");
  CHECK(iso_time(-1, false) == "1969-12-31T23:59:59.999999");
  CHECK(iso_time(951'782'400 * kSecond, true) == "2000-02-29T00:00:00.000000Z");
  CHECK(iso_time(std::numeric_limits<std::int64_t>::max(), true).empty());
  CHECK(iso_time(std::numeric_limits<std::int64_t>::min(), true).empty());
}

}  // namespace tfpm
