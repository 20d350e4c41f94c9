// The windowed reader of profiles, and what it makes of real ones.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "parsers/detail/json_feed.h"
#include "parsers/detail/wire_stream.h"
#include "parsers/profile/event_class.h"
#include "parsers/profile/space_reader.h"
#include "parsers/profile/space_rows.h"
#include "parsers/profile/spans.h"
#include "support/parse_text.h"

namespace fs = std::filesystem;

namespace tfpm {
namespace {

std::string varint(std::uint64_t v) {
  std::string out;
  for (; v > 127; v >>= 7) out += static_cast<char>((v & 127) | 128);
  return out + static_cast<char>(v);
}

std::string number(std::uint32_t field, std::uint64_t v) {
  return varint(field << 3) + varint(v);
}

std::string nested(std::uint32_t field, const std::string& content) {
  return varint(field << 3 | 2) + varint(content.size()) + content;
}

std::string event(std::uint64_t id, std::uint64_t begin, std::uint64_t duration) {
  return nested(4, number(1, id) + number(2, begin) + number(3, duration));
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Evidence of other people and recorded bundles, where a developer keeps them; empty = not here.
fs::path shared_folder() {
  const char* folder = std::getenv("TFPM_SHARED");
  return folder == nullptr ? fs::path() : fs::path(folder);
}

std::vector<Row> rows_of(std::string_view parser, const fs::path& path) {
  const std::string bytes = read_file(path);
  MemoryStream in(bytes);
  CollectingSink sink;
  for (const auto& p : make_all_parsers()) {
    if (p->name() == parser)
      CHECK(p->parse({path.filename().string(), bytes.size()}, in, sink).ok());
  }
  return sink.rows();
}

struct Counts {
  std::uint64_t planes = 0, lines = 0, events = 0;
  bool operator==(const Counts&) const = default;
};

Counts count(const std::string& bytes) {
  MemoryStream in(bytes);
  SpaceReader reader(in);
  Counts c;
  CHECK(reader.read([&](const Plane& p) { c.lines += p.lines.size(); }) ==
        SpaceReader::Outcome::kComplete);
  c.planes = reader.planes();
  c.events = reader.events();
  return c;
}

}  // namespace

TEST_CASE("sorted lists behind one another join as sorted spans do", "[profile]") {
  CHECK(join_spans({}).empty());
  std::vector<Span> lists;
  std::vector<Span> shuffled;
  for (std::int64_t line = 0; line < 5; ++line) {
    for (std::int64_t i = 0; i < 50; ++i)
      lists.push_back({i * 100 + line * 7, i * 100 + line * 11});
  }
  for (std::size_t i = 0; i < lists.size(); ++i) shuffled.push_back(lists[i * 97 % lists.size()]);
  std::sort(shuffled.begin(), shuffled.end(),
            [](const Span& a, const Span& b) { return a.begin < b.begin; });
  const SpanList a = join_spans(lists);
  const SpanList b = join_spans(shuffled);
  REQUIRE(a.size() == b.size());
  CHECK(a.size() == 100);  // in each hundred the second list stands alone, the later ones overlap
  CHECK(covered(a) == covered(b));
}

TEST_CASE("a wire stream enters, takes and skips across its window") {
  const std::string big(3 * WireStream::kWindow, 'x');
  const std::string bytes = number(1, 300) + nested(2, big) + nested(3, "abc") + number(4, 5);
  for (const std::size_t chunk : {std::size_t{7}, std::size_t{1} << 20}) {
    MemoryStream in(bytes, chunk);
    WireStream s(in);
    REQUIRE(s.next(WireStream::kNoEnd) == WireStream::Step::kField);
    CHECK(s.value() == 300);
    REQUIRE(s.next(WireStream::kNoEnd) == WireStream::Step::kField);
    CHECK_FALSE(s.take(static_cast<std::size_t>(s.value())));  // more than the window
    CHECK(s.skip(big.size()));
    REQUIRE(s.next(WireStream::kNoEnd) == WireStream::Step::kField);
    CHECK(s.take(3) == std::string_view("abc"));
    REQUIRE(s.next(WireStream::kNoEnd) == WireStream::Step::kField);
    CHECK(s.value() == 5);
    CHECK(s.next(WireStream::kNoEnd) == WireStream::Step::kEnd);
    CHECK(s.offset() == bytes.size());
  }
}

TEST_CASE("a wire stream tells a cut from damage") {
  using Step = WireStream::Step;
  const auto first = [](const std::string& bytes, std::uint64_t end) {
    MemoryStream in(bytes);
    WireStream s(in);
    return s.next(end);
  };
  CHECK(first("", WireStream::kNoEnd) == Step::kEnd);
  CHECK(first("", 5) == Step::kCut);
  CHECK(first("\x0a", 5) == Step::kCut);
  CHECK(first("\x0a\x7f", 2) == Step::kDamaged);  // longer than the message around it
  CHECK(first("\x07\x01", 2) == Step::kDamaged);  // no such wire type
  CHECK(first(std::string("\x00\x01", 2), 2) == Step::kDamaged);
}

TEST_CASE("events are read whatever the window cuts") {
  std::string line = nested(2, "thread");
  for (std::uint64_t i = 0; i < 50'000; ++i) line += event(i % 7, 10 * i, 5);
  const std::string plane = nested(2, "/host:CPU") + nested(3, line);
  CHECK(count(nested(1, plane)) == Counts{1, 1, 50'000});
}

TEST_CASE("time inside a nested event is not the outer one's own") {
  const std::string line = event(1, 0, 100) + event(2, 10, 30) + event(3, 15, 5) + event(2, 50, 20);
  const std::string bytes = nested(1, nested(2, "/host:CPU") + nested(3, line));
  MemoryStream in(bytes);
  SpaceReader reader(in);
  std::vector<EventTotals> totals;
  reader.read([&](const Plane& p) { totals = p.totals(); });
  REQUIRE(totals.size() == 3);
  CHECK(totals[0].self == 50);
  CHECK(totals[1].total == 50);
  CHECK(totals[1].self == 45);
  CHECK(totals[1].longest == 30);
}

TEST_CASE("a profile of any size keeps bounded spans") {
  Plane plane;
  plane.name = "/device:GPU:0";
  plane.begin_line(0);
  constexpr std::int64_t kEvents = 1'500'000;
  for (std::int64_t i = 0; i < kEvents; ++i) {
    RawEvent e;
    e.metadata_id = i % 3;
    e.begin = i * 2000;
    e.duration = 1000;
    e.timed = true;
    plane.add(e);
  }
  plane.end_line("Stream #1(Compute)");
  CHECK(plane.events == kEvents);
  CHECK(plane.spans().size() <= Plane::kMaxSpans);
  CHECK(plane.resolution_ps() > 0);
  CHECK(plane.extent()->end == kEvents * 2000 - 1000);
  std::int64_t total = 0;
  for (const EventTotals& t : plane.totals()) total += t.self;
  CHECK(total == kEvents * 1000);
}

// Spans that had to be joined to bound memory looked like one long collective, and every step like
// one that waits for the network.
TEST_CASE("steps shorter than what spans were joined over are not split") {
  Plane plane;
  plane.name = "/host:CPU";
  plane.name_stat(1, "step_num");
  plane.name_event(1, "train");
  plane.name_event(2, "CollectiveReduceV2:CollectiveReduceV2");
  const std::string stats("\x22\x04\x08\x01\x20\x05\0\0\0\0\0\0\0\0", 14);
  const auto add = [&](std::int64_t id, std::int64_t begin, std::int64_t length) {
    RawEvent e;
    e.metadata_id = id;
    e.begin = begin;
    e.duration = length;
    e.timed = true;
    if (id == 1) e.stats = std::string_view(stats).substr(0, 6);
    plane.add(e);
  };
  constexpr std::int64_t kUs = 1'000'000;
  plane.begin_line(0);
  add(1, 0, 50 * kUs);
  for (std::int64_t i = 0; i < 900'000; ++i) add(2, 2 * kUs * i, kUs);
  plane.end_line("python");
  SpaceRows rows;
  rows.add(plane);
  CollectingSink sink;
  rows.emit(sink);
  CHECK(rows.resolution_us() >= 1);
  bool seen = false;
  for (const Row& row : sink.rows()) {
    if (row.table != "profile_step") continue;
    for (const Field& f : row.fields) {
      if (f.column == "period_us") CHECK(std::get<std::int64_t>(f.value) == 50);
      if (f.column != "collective_us") continue;
      seen = true;
      CHECK(std::holds_alternative<std::monostate>(f.value));
    }
  }
  CHECK(seen);
}

TEST_CASE("spans are joined, cut and taken away") {
  const SpanList list = join_spans({{50, 60}, {0, 10}, {5, 20}, {30, 30}, {9, 3}});
  REQUIRE(list.size() == 2);
  CHECK(covered(list) == 30);
  CHECK(covered(clip(list, {15, 55})) == 10);
  CHECK(covered(without(list, {{5, 8}, {18, 52}})) == 23);
  CHECK(covered(without(list, {{-5, 100}})) == 0);
  SpanList many;
  for (std::int64_t i = 0; i < 1000; ++i) many.push_back({i * 3'000'000, i * 3'000'000 + 1});
  CHECK(coarsen(many, 100) > 0);
  CHECK(many.size() <= 100);
}

TEST_CASE("events are classed by name") {
  CHECK(classify_host("IteratorGetNextAsOptionalOp::DoCompute") == EventClass::kInputWait);
  CHECK(classify_host("while/IteratorGetNext:IteratorGetNext") == EventClass::kInputWait);
  CHECK(classify_host("Iterator::Root::Prefetch::Map") == EventClass::kProducer);
  CHECK(classify_host("CollectiveReduceV2_1:CollectiveReduceV2") == EventClass::kCollective);
  CHECK(classify_host("gradient_tape/MatMul/MatMul:MatMul") == EventClass::kCompute);
  CHECK(classify_host("_send_x_0:_Send") == EventClass::kOther);
  CHECK(classify_host("EagerPyFunc:EagerPyFunc") == EventClass::kOther);
  CHECK(classify_host("cuLaunchKernel") == EventClass::kLaunch);
  CHECK(classify_host("$train.py:12 step") == EventClass::kOther);
  CHECK(classify_device("ncclKernel_AllReduce_RING_LL_Sum_float(ncclWork)") ==
        EventClass::kCollective);
  CHECK(classify_device("MEMCPYHtoD") == EventClass::kCopy);
  CHECK(classify_device("all-gather-start.3") == EventClass::kCollective);
  CHECK(classify_device("fusion.3") == EventClass::kCompute);
  CHECK(op_type_of("a/b:MatMul") == "MatMul");
  CHECK(op_type_of("Iterator::Root").empty());
}

// Counted with `protoc --decode_raw`: "1 {" at the left are planes, "3 {" in them lines, "4 {" in
// those events.
TEST_CASE("real profiles have the planes, lines and events that protoc shows") {
  const fs::path shared = shared_folder();
  const struct {
    const char* path;
    Counts counts;
  } kFiles[] = {
      {"bundles/input-bound/tensorboard/plugins/profile/2026_11_30_14_14_07/worker-0.xplane.pb",
       {2, 20, 4744}},
      {"bundles/input-bound/tensorboard/plugins/profile/2026_11_30_14_14_07/worker-1.xplane.pb",
       {2, 19, 4776}},
      {"bundles/straggler-host/tensorboard/plugins/profile/2026_11_30_13_39_09/worker-2.xplane.pb",
       {2, 19, 4608}},
      {"real/profiles/gpu-multi-worker/plugins/profile/run1/worker-0.xplane.pb", {9, 37, 23128}},
  };
  for (const auto& file : kFiles) {
    if (shared.empty() || !fs::exists(shared / file.path)) {
      WARN("skipped, not here: " << file.path);
      continue;
    }
    INFO(file.path);
    CHECK(count(read_file(shared / file.path)) == file.counts);
  }
}

// Confirmed with `protoc --decode_raw`: eleven PerGenericStepDetails each, means of step time
// 1114.5 and 1805.1 ms, 81.4 % and 0.02 % of it waiting for input.
TEST_CASE("tables of the profiler's tools hold what its pages showed") {
  const struct {
    const char* name;
    double step_ms, input_percent;
  } kFiles[] = {{"gpu-input-bound", 1114.5, 81.4}, {"gpu-compute-bound", 1805.1, 0.02}};
  for (const auto& file : kFiles) {
    const fs::path path = shared_folder() / "real/profiles" / file.name /
                          "plugins/profile/run1/localhost.input_pipeline.pb";
    if (shared_folder().empty() || !fs::exists(path)) {
      WARN("skipped, not here: " << file.name);
      continue;
    }
    double period = 0, input = 0, steps = 0;
    for (const Row& row : rows_of("profile-tools", path)) {
      if (row.table != "profile_step") continue;
      ++steps;
      for (const Field& f : row.fields) {
        const auto* value = std::get_if<std::int64_t>(&f.value);
        if (f.column == "period_us") period += static_cast<double>(*value);
        if (f.column == "input_us") input += static_cast<double>(*value);
      }
    }
    INFO(file.name);
    CHECK(steps == 11);
    CHECK(period / steps / 1000 == Approx(file.step_ms).epsilon(0.001));
    CHECK(100 * input / period == Approx(file.input_percent).margin(0.05));
  }
}

TEST_CASE("JSON of Python's is made fit for a strict parser") {
  const std::string text = R"({"a": NaN, "b": -Infinity, "c": "NaN -Infinity \" , "d": -1})";
  MemoryStream in(text, 1);
  JsonFeed feed(in);
  std::string out;
  for (feed.advance(); !feed.at_end(); feed.advance()) out += feed.current();
  CHECK(out == R"({"a": null, "b": null, "c": "NaN -Infinity \" , "d": -1})");
  std::string escapes = "\"";
  for (int i = 0; i < 20'000; ++i) escapes += "\\u00e4\\n";
  escapes += "\", 1";
  MemoryStream many(escapes);
  JsonFeed cut(many);
  out.clear();
  for (cut.advance(); !cut.at_end(); cut.advance()) out += cut.current();
  CHECK(out.size() < 70'000);
  CHECK(out.substr(out.size() - 4) == "\", 1");
  CHECK(nlohmann::json::accept("[" + out + "]"));
}

}  // namespace tfpm
