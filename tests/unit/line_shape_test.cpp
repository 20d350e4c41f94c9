// What is taken from a line of the same shape must be what reading the line itself gives.
#include "ingest/line_shape.h"

#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "ingest/literal_variants.h"

namespace tfpm {
namespace {

// Lines of every header family, bars, glued headers, and lines that are hard to tell by their form.
const std::vector<std::string> kLines = {
    "2026-03-05 14:05:42.123456: E tensorflow/core/x.cc:12] OOM 17 of 20",
    "2026-03-05 14:05:42.123456: I 4242 tensorflow/core/platform/cpu_feature_guard.cc:182] This",
    "2026-03-05 14:05:42.123456: W 4821 tensorflow/x.cc:290] retry 33 after 680 ms",
    "2026-03-05T14:05:42Z step 3",
    "2026-03-05 14:05:42,123 - trainer - INFO - [Rank 0] step 812 loss 0.612345",
    "[2026-03-05 14:05:42,123] [INFO] [engine.py:65:step] step=100",
    "[14:05:42] epoch 3 loss 0.5",
    "[2026-03-05 14:05:42.123456: W horovod/common/stall_inspector.cc:107] One or more tensors",
    "I0305 14:05:42.123456 140234567890123 train.py:18] step 5",
    "E0305 14:05:42.123456   21777 cuda_dnn.cc:8670] Unable to register",
    "E0000 00:00:1738570500.113911   21777 cuda_dnn.cc:8670] Unable to register",
    "INFO:tensorflow:global_step/sec: 3.5396",
    "INFO:1772719510.123:tensorflow:loss = 3.1",
    "WARNING: 3 of 7 tasks are late",
    "worker-3:4242:4301 [0] NCCL INFO threadThresholds 8/8/64 | 512/64/512",
    "worker-10:4242:4301 [0] misc/socket.cc:483 NCCL WARN Net : Connection closed by 10.0.0.7",
    "1772719542.123 starting 4 workers",
    "26/03/05 14:05:42 INFO Executor: Running task 1.0",
    "{\"ts\": 1772719510.5, \"level\": \"INFO\", \"msg\": \"step 3\"}",
    " 77/1000 [==>...........................] - ETA: 92s - loss: 1.8456 - lr: 0.0010",
    " 77/1000 [==>...........................] - ETA: 92s - lr: 0.0012026-05-12 00:00:02.125053: W "
    "tensorflow/core/x.cc:29] retry 33 after 680 ms",
    " 77/1000 [==>...........................] - lr: 0.0010INFO:tensorflow:global_step/sec: 3.5396",
    " 77/1000 [==>....] - lr: 0.0010worker-3:4242:4301 [0] NCCL INFO P2P Chunksize set to 8",
    "  File \"/x/train.py\", line 12, in main",
    "time taken 10:20:30 of 40:50:60",
    "x",
    ""};

std::string other_digits(std::string line, std::mt19937& random) {
  for (char& c : line)
    if (c >= '0' && c <= '9') c = static_cast<char>('0' + random() % 10);
  const std::size_t bar = line.find("[=");
  for (std::size_t i = bar + 1; bar != std::string::npos && line[i] != ']'; ++i)
    line[i] = "=>.-"[random() % 4];
  return line;
}

void check_same(const LineHeader& have, const LineHeader& want) {
  CHECK(have.family == want.family);
  CHECK(have.severity == want.severity);
  CHECK(have.stamp.basis == want.stamp.basis);
  CHECK(have.stamp.time_us == want.stamp.time_us);
  CHECK(have.cpp_file == want.cpp_file);
  CHECK(have.escaped == want.escaped);
  CHECK(have.file == want.file);
  CHECK(have.host == want.host);
  CHECK(have.message == want.message);
}

// False when the line has to be read anew.
bool check_line(const LineShape& shape, const std::string& line) {
  for (std::size_t i = 0; i < shape.part_count; ++i)
    if (!stamp_of(shape.parts[i], line)) return false;
  const bool headed = parse_header(line).family != HeaderFamily::kNone;
  const std::size_t glued = headed ? std::string::npos : find_glued_header(line);
  REQUIRE(shape.part_count == (glued == std::string::npos ? 1 : 2));
  if (glued != std::string::npos) CHECK(shape.parts[1].begin == glued);
  for (std::size_t i = 0; i < shape.part_count; ++i) {
    const ShapePart& part = shape.parts[i];
    const std::string_view text = std::string_view(line).substr(part.begin, part.end - part.begin);
    LineHeader header = parse_header("INFO:tensorflow:of another line");
    header_of(shape, part, line, *stamp_of(part, line), header);
    check_same(header, parse_header(text));
  }
  return true;
}

TEST_CASE("lines of one shape are what their shape says, or are read anew") {
  std::mt19937 random(7);
  for (const std::string& base : kLines) {
    std::vector<std::string> lines = {base};
    for (int i = 0; i < 300; ++i) lines.push_back(other_digits(base, random));
    // Whichever of them comes first.
    for (const std::size_t first : {0U, 1U, 2U, 3U}) {
      const LineShape shape(lines[first]);
      if (shape.part_count == 0) continue;
      for (const std::string& line : lines) {
        if (!shape.masked.matches(line)) continue;
        INFO(lines[first] << " | " << line);
        check_line(shape, line);
      }
    }
  }
}

TEST_CASE("usual lines are known by their shape, and impossible times are not") {
  const LineShape classic("2026-03-05 14:05:42.123456: E tensorflow/core/x.cc:12] OOM 17");
  CHECK(check_line(classic, "2027-12-31 23:59:59.654321: E tensorflow/core/x.cc:99] OOM 18"));
  CHECK_FALSE(check_line(classic, "2027-13-31 23:59:59.654321: E tensorflow/core/x.cc:99] OOM 18"));
  CHECK(LineShape("2027-13-31 23:59:59.654321: E tensorflow/core/x.cc:99] OOM 18").part_count == 0);
  const LineShape glued(kLines[20]);
  CHECK(glued.part_count == 2);
  // A start-up file's thread number begins a process: it must be read.
  CHECK(LineShape(kLines[1]).part_count == 0);
}

TEST_CASE("a shape is found again, and logs without shapes are left alone for a while") {
  LineShapes shapes;
  shapes.begin_chunk();
  LineShape* first = shapes.of("step 12 of 20");
  CHECK(shapes.of("step 13 of 20") == first);
  CHECK(shapes.of("step 3 of 20") != first);
  CHECK(shapes.of(std::string(LineShapes::kMaxLine + 1, 'x')) == nullptr);
  for (int i = 0; i < 20; ++i) shapes.of("step 14 of 20");
  shapes.begin_chunk();
  CHECK(shapes.steady());
  for (std::size_t i = 0; i < 10'000; ++i)
    shapes.of(std::string(i % 1999, static_cast<char>('a' + i % 26)));
  shapes.begin_chunk();
  CHECK_FALSE(shapes.steady());
  CHECK_FALSE(shapes.active());
  for (int i = 0; i < 15; ++i) shapes.begin_chunk();
  CHECK(shapes.active());
}

TEST_CASE("a bar may be drawn otherwise, and nothing else") {
  for (const std::string line : {" 77/100 [==>...] - loss: 1.5", "7 [==>..]",
                                 " 77/100 [==>...........................] - loss: 1.5"}) {
    MaskedText masked;
    masked.assign(line, find_bar(line));
    std::string other = line;
    other.replace(line.find("[==>"), 4, "[>.-");
    other[1] = other[1] == '7' ? '3' : other[1];
    CHECK(masked.matches(other));
    CHECK(masked_hash(other) == masked_hash(line));
    other[line.find("[==>") + 1] = '/';  // between the bytes of bars
    CHECK_FALSE(masked.matches(other));
    CHECK_FALSE(masked.matches(line + ' '));
    std::string spoilt = line;
    spoilt.back() = 'x';
    CHECK_FALSE(masked.matches(spoilt));
  }
  MaskedText hash_marks;
  const std::string line = " 40% [####    ] 4/10";
  hash_marks.assign(line, find_bar(line));
  CHECK(hash_marks.matches(" 50% [####    ] 5/10"));
  CHECK_FALSE(hash_marks.matches(" 50% [#####   ] 5/10"));  // not drawn with ASCII bar bytes only
}

TEST_CASE("literals with digits or inside a bar may differ between lines of one shape") {
  LiteralVariants variants({"exit code 137", "Socket closed", "....", "a-b failed"});
  LiteralVariants::Scratch scratch;
  const auto differs = [&](const std::string& line) {
    return variants.may_differ(line, find_bar(line), scratch);
  };
  CHECK(differs("exit code 139"));
  CHECK_FALSE(differs("Socket closed after 12 s"));
  CHECK_FALSE(differs("a-b failed 12 times"));
  CHECK(differs("7/9 [=======] done"));
  CHECK_FALSE(differs("7/9 and so on .... until 9"));
}

}  // namespace
}  // namespace tfpm
