// Event files: names, values, thinning and restarts (formats.md 4).
#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "parsers/detail/event_file_name.h"
#include "parsers/detail/event_series.h"
#include "parsers/detail/event_shapes.h"
#include "parsers/detail/event_value.h"
#include "parsers/detail/tfrecord.h"
#include "support/parse_text.h"

namespace tfpm {
namespace {

std::string varint_field(int number, std::uint8_t value) {
  return {static_cast<char>(number << 3), static_cast<char>(value)};
}

std::string bytes_field(int number, const std::string& bytes) {
  return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(bytes.size())} + bytes;
}

std::string doubles(const std::vector<double>& values) {
  std::string out;
  for (const double v : values) {
    const auto bits = std::bit_cast<std::uint64_t>(v);
    for (int i = 0; i < 8; ++i) out += static_cast<char>(bits >> (8 * i));
  }
  return out;
}

std::string shape(const std::vector<std::uint8_t>& dims) {
  std::string out;
  for (const std::uint8_t d : dims) out += bytes_field(2, varint_field(1, d));
  return bytes_field(2, out);
}

EventValue value_of_tensor(const std::string& tensor) {
  static std::string kept;
  kept = bytes_field(1, "tag") + bytes_field(8, tensor);
  return parse_event_value(kept);
}

EventPoint point(std::uint64_t i, std::int64_t step, double value) {
  return {i, step, value, 0, false};
}

}  // namespace

TEST_CASE("records come whole whatever a read gives, and an empty file gives none", "[tfevents]") {
  const std::string file =
      std::string("\x05\0\0\0\0\0\0\0\xea\xb2\x04\x3ehello\xbb\x1f\x1c\x19", 21);
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{5}, std::size_t{100}}) {
    const std::string twice = file + file;
    MemoryStream in(twice, chunk);
    TfRecordReader reader(in);
    TfRecord record;
    for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{21}}) {
      REQUIRE(reader.next(record));
      CHECK(record.data == "hello");
      CHECK(record.offset == offset);
    }
    CHECK_FALSE(reader.next(record));
  }
  MemoryStream nothing("");
  TfRecordReader reader(nothing);
  TfRecord record;
  CHECK_FALSE(reader.next(record));
}

TEST_CASE("names of event files say who wrote them", "[tfevents]") {
  const EventFileName v2 =
      parse_event_file_name("tb/events.out.tfevents.1700000000.gpu-3.cluster.local.4711.0.v2");
  CHECK(v2.started_us == 1'700'000'000'000'000);
  CHECK(v2.host == "gpu-3.cluster.local");
  CHECK(v2.pid == 4711);
  const EventFileName v1 = parse_event_file_name("events.out.tfevents.1538582400.trainer.lab");
  CHECK(v1.host == "trainer.lab");
  CHECK_FALSE(v1.pid);
  CHECK(parse_event_file_name("a/events.out.tfevents.1700000000.h.1.2.profile-empty")
            .profiler_marker);
  CHECK_FALSE(parse_event_file_name("events.out.tfevents.99999999999999999999.h").started_us);
  CHECK(parse_event_file_name("train.log").host.empty());
}

TEST_CASE("scalars of every way to store them", "[tfevents]") {
  CHECK(
      value_of_tensor(varint_field(1, 1) + bytes_field(4, std::string("\0\0\xc0\x7f", 4))).scalar);
  const auto wide = value_of_tensor(varint_field(1, 2) + bytes_field(4, doubles({2.5})));
  CHECK(wide.scalar == 2.5);
  const auto half =
      value_of_tensor(varint_field(1, 14) + bytes_field(4, std::string("\x80\x3f", 2)));
  CHECK(half.scalar == 1.0);
  const auto list = value_of_tensor(varint_field(1, 2) + bytes_field(6, doubles({-3.0})));
  CHECK(list.scalar == -3.0);
  // More than one element is no scalar.
  CHECK_FALSE(
      value_of_tensor(varint_field(1, 2) + shape({2}) + bytes_field(4, doubles({1, 2}))).scalar);
}

TEST_CASE("a record is known again by everything but stamp, step and value", "[tfevents]") {
  const auto event = [](const std::string& step, const std::string& tag, const std::string& value,
                        const std::string& more = {}) {
    const std::string tensor = varint_field(1, 1) + bytes_field(2, "") + bytes_field(4, value);
    const std::string summary = bytes_field(1, bytes_field(1, tag) + bytes_field(8, tensor));
    return "\x09" + doubles({1700000000.5}) + "\x10" + step + bytes_field(5, summary) + more;
  };
  EventShapes shapes;
  EventSeries series;
  const std::string first = event("\x05", "epoch_loss", std::string("\0\0\x80\x3f", 4));
  CHECK(shapes.match(first).series == nullptr);
  const std::size_t at = first.find(std::string("\0\0\x80\x3f", 4));
  shapes.learn(first, std::string_view(first).substr(at, 4), series);

  const EventShapes::Match later =
      shapes.match(event("\x85\x01", "epoch_loss", std::string("\0\0\0\xff", 4)));
  REQUIRE(later.series == &series);
  CHECK(later.step == 133);
  CHECK(later.wall == 1700000000.5);
  CHECK(later.value < -1e38);

  const std::string one("\0\0\x80\x3f", 4);
  CHECK(shapes.match(event("\x05", "epoch_lost", one)).series == nullptr);
  CHECK(shapes.match(event("\x05", "epoch_loss", one, varint_field(2, 9))).series == nullptr);
  CHECK(shapes.match(event("\x05", "epoch_loss", one + one)).series == nullptr);
  CHECK(shapes.match(event(std::string(11, '\xff'), "epoch_loss", one)).series == nullptr);
  CHECK(shapes.match(first.substr(0, first.size() - 1)).series == nullptr);
  CHECK(shapes.match("").series == nullptr);
}

TEST_CASE("histograms of TensorFlow 2 are buckets", "[tfevents]") {
  const auto v = value_of_tensor(varint_field(1, 2) + shape({2, 3}) +
                                 bytes_field(4, doubles({-1, 0, 4, 0, 2, 6})));
  REQUIRE(v.histogram);
  CHECK(v.histogram->min == -1);
  CHECK(v.histogram->max == 2);
  CHECK(v.histogram->count == 10);
  CHECK(v.histogram->finite);
  const double nan = std::nan("");
  const auto bad =
      value_of_tensor(varint_field(1, 2) + shape({1, 3}) + bytes_field(4, doubles({nan, nan, 8})));
  REQUIRE(bad.histogram);
  CHECK_FALSE(bad.histogram->finite);
}

TEST_CASE("a long series keeps its end, its extremes and what surrounds a turn", "[tfevents]") {
  EventSeries series;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    double value = 1.0;
    if (i == 3'000) value = std::numeric_limits<double>::infinity();
    if (i == 7'777) value = 900;
    series.add(point(i, static_cast<std::int64_t>(i), value));
  }
  const auto& points = series.points();
  CHECK(points.size() <= 2 * EventSeries::kLimit);
  CHECK(points.front().step == 0);
  CHECK(points[points.size() - EventSeries::kTail].step == 98'000);
  const auto has = [&](std::int64_t step) {
    return std::any_of(points.begin(), points.end(),
                       [&](const EventPoint& p) { return p.step == step; });
  };
  CHECK(has(3'000));
  CHECK(has(2'999));
  CHECK(has(2'801));
  CHECK(has(7'777));
}

TEST_CASE("a series that turns all the time stays bounded", "[tfevents]") {
  EventSeries series;
  for (std::uint64_t i = 0; i < 50'000; ++i) {
    series.add(point(i, static_cast<std::int64_t>(i), i % 2 == 0 ? 1.0 : std::nan("")));
  }
  CHECK(series.points().size() <= 2 * EventSeries::kLimit);
}

TEST_CASE("a series of many restarts is not thinned with every point", "[tfevents]") {
  EventSeries series;
  for (std::uint64_t i = 0; i < 2'000'000; ++i) {
    series.add(point(i, static_cast<std::int64_t>(i % 40'000), 1.0));
  }
  CHECK(series.points().size() <= 2 * EventSeries::kLimit);
}

TEST_CASE("steps that a restart repeats are superseded, not dropped", "[tfevents]") {
  EventSeries series;
  std::uint64_t seq = 0;
  for (const std::int64_t step : {1, 2, 3, 4, 5, 3, 4, 5, 6}) series.add(point(seq++, step, 1));
  const std::vector<bool> expected = {false, false, true, true, true, false, false, false, false};
  CHECK(series.superseded() == expected);
}

}  // namespace tfpm
