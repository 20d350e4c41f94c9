// Stamps without a year: completed from their neighbours, else from the other sources.
#include "align/missing_years.h"

#include <catch2/catch.hpp>
#include <string>

#include "base/unknown_year.h"
#include "ingest/log_clock.h"
#include "ingest/stamp.h"
#include "store/database.h"
#include "store/row_writer.h"

namespace tfpm {
namespace {

constexpr std::int64_t kHour = 3'600'000'000, kDay = 24 * kHour;

std::int64_t on(int year, int month, int day, int hour) {
  return days_from_civil(year, month, day) * kDay + hour * kHour;
}

// As the reader cuts it: counted from the start of a leap year.
Stamp yearless(int month, int day, int hour) {
  return {on(kUnknownYear, month, day, hour) - on(kUnknownYear, 1, 1, 0), StampBasis::kNoYear};
}

Stamp dated(int year, int month, int day, int hour) {
  return {on(year, month, day, hour), StampBasis::kLocal};
}

// A store with one stream and one event for each source, `first` and `last` its stamps.
class Sources {
 public:
  Sources() : db_(open()), rows_(db_) {}

  void add(const std::string& path, std::int64_t first, std::int64_t last) {
    const std::int64_t source = put({"source", {{"path", path}, {"status", text_value("read")}}});
    rows_.begin_source(source);
    const std::int64_t stream = put({"stream",
                                     {{"tag_kind", text_value("none")},
                                      {"records", int_value(2)},
                                      {"first_us", first},
                                      {"last_us", last}}});
    put({"event",
         {{"byte_offset", int_value(0)},
          {"line", int_value(1)},
          {"stream", stream},
          {"seq", int_value(0)},
          {"time_raw_us", last},
          {"severity", text_value("info")},
          {"kind", text_value("error")},
          {"record_line", int_value(1)},
          {"text", text_value("x")}}});
    count_minute(last);
    StreamSeries s;
    s.stream = stream;
    s.templates.emplace_back();
    s.templates[0].time_us = {first, kNoTime, last};
    series_.push_back(s);
  }

  // One line of the last source.
  void count_minute(std::int64_t us) {
    put({"minute_count",
         {{"minute", us / 60'000'000}, {"severity", text_value("info")}, {"count", int_value(1)}}});
  }

  void find() { REQUIRE(find_missing_years(db_, series_).ok()); }

  std::int64_t value(const std::string& sql) {
    const auto found = db_.query_int(sql);
    REQUIRE(found.ok());
    return found->value_or(-1);
  }
  const std::vector<std::int64_t>& times(std::size_t stream) const {
    return series_[stream].templates[0].time_us;
  }

 private:
  static Database open() {
    Result<Database> db = Database::create_in_memory();
    REQUIRE(db.ok());
    return std::move(*db);
  }
  std::int64_t put(const Row& row) {
    const Result<std::int64_t> id = rows_.write(row);
    REQUIRE(id.ok());
    return *id;
  }

  Database db_;
  RowWriter rows_;
  std::vector<StreamSeries> series_;
};

}  // namespace

TEST_CASE("a stamp without a year is no day late behind the February of a common year") {
  LogClock clock;
  CHECK(clock.resolve(dated(2026, 3, 5, 10)) == on(2026, 3, 5, 10));
  CHECK(clock.resolve(yearless(3, 5, 11)) == on(2026, 3, 5, 11));
  CHECK(clock.resolve({12 * kHour, StampBasis::kTimeOnly}) == on(2026, 3, 5, 12));
}

TEST_CASE("lines around New Year get the year that is closest") {
  LogClock clock;
  CHECK(clock.resolve(dated(2026, 1, 1, 1)) == on(2026, 1, 1, 1));
  CHECK(clock.resolve(yearless(12, 31, 20)) == on(2025, 12, 31, 20));
  CHECK(clock.resolve(yearless(1, 1, 2)) == on(2026, 1, 1, 2));
  CHECK(clock.resolve(yearless(12, 31, 23)) == on(2025, 12, 31, 23));
  LogClock alone;
  CHECK(alone.resolve(yearless(12, 31, 23)) == on(kUnknownYear, 12, 31, 23));
  CHECK(alone.resolve(yearless(1, 1, 0)) == on(kUnknownYear + 1, 1, 1, 0));
}

TEST_CASE("the year is taken from the sources that write it") {
  Sources s;
  s.add("worker-0.log", on(2026, 3, 5, 9), on(2026, 3, 5, 12));
  s.add("worker-1.log", on(kUnknownYear, 2, 28, 9), on(kUnknownYear, 3, 5, 12));
  s.add("worker-2.log", on(2026, 3, 5, 9), on(2026, 3, 5, 12));
  s.find();
  CHECK(s.value("SELECT time_raw_us FROM event WHERE source_id = 2") == on(2026, 3, 5, 12));
  CHECK(s.value("SELECT first_us FROM stream WHERE id = 2") == on(2026, 2, 28, 9));
  CHECK(s.value("SELECT last_us FROM stream WHERE id = 2") == on(2026, 3, 5, 12));
  CHECK(s.value("SELECT minute FROM minute_count WHERE source_id = 2") ==
        on(2026, 3, 5, 12) / 60'000'000);
  CHECK(s.times(1) == std::vector<std::int64_t>{on(2026, 2, 28, 9), kNoTime, on(2026, 3, 5, 12)});
  CHECK(s.times(0)[0] == on(2026, 3, 5, 9));
}

TEST_CASE("lines of one minute are counted together, with and without the year") {
  Sources s;
  s.add("worker-0.log", on(kUnknownYear, 3, 5, 9), on(2026, 3, 5, 12));
  s.count_minute(on(kUnknownYear, 3, 5, 12));
  s.count_minute(on(kUnknownYear, 3, 5, 11));
  s.find();
  CHECK(s.value("SELECT first_us FROM stream") == on(2026, 3, 5, 9));
  CHECK(s.value("SELECT count(*) FROM minute_count") == 2);
  CHECK(s.value("SELECT count FROM minute_count WHERE minute = " +
                std::to_string(on(2026, 3, 5, 12) / 60'000'000)) == 2);
  CHECK(s.value("SELECT count FROM minute_count WHERE minute = " +
                std::to_string(on(2026, 3, 5, 11) / 60'000'000)) == 1);
}

TEST_CASE("a log over New Year begins in the year before") {
  Sources s;
  s.add("worker-0.log", on(2027, 12, 31, 9), on(2028, 1, 1, 12));
  s.add("worker-1.log", on(kUnknownYear, 12, 31, 9), on(kUnknownYear + 1, 1, 1, 12));
  s.add("worker-2.log", on(kUnknownYear, 12, 31, 9), on(kUnknownYear, 12, 31, 23));
  s.find();
  CHECK(s.value("SELECT first_us FROM stream WHERE id = 2") == on(2027, 12, 31, 9));
  CHECK(s.value("SELECT last_us FROM stream WHERE id = 2") == on(2028, 1, 1, 12));
  CHECK(s.value("SELECT last_us FROM stream WHERE id = 3") == on(2027, 12, 31, 23));
}

TEST_CASE("without any year in the bundle the stamps stay together") {
  Sources s;
  s.add("worker-0.log", on(kUnknownYear, 3, 5, 9), on(kUnknownYear, 3, 5, 12));
  s.add("worker-1.log", on(kUnknownYear, 3, 5, 9), on(kUnknownYear, 3, 5, 12));
  s.find();
  CHECK(s.value("SELECT count(*) FROM stream WHERE last_us = " +
                std::to_string(on(kUnknownYear, 3, 5, 12))) == 2);
}

}  // namespace tfpm
