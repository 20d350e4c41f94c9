// Bytes nobody would write: nothing may crash, hang, leave its input or depend on buffers.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "support/line_invariants.h"

namespace tfpm {
namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::size_t below(std::size_t n) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::size_t>(state_ % n);
  }

 private:
  std::uint64_t state_;
};

constexpr std::array<std::string_view, 24> kSeeds = {
    "2026-03-05 14:05:42.123456: W tensorflow/core/x.cc:1831] CODE: text",
    "I0000 00:00:1772719542.123456   21777 a.cc:245] UNAVAILABLE: Socket closed",
    "E0305 14:05:42.123456789   20418 s.cc:40]     {\"created\":\"@1.2\"}",
    "2026-03-05 14:05:42,123 INFO train: step 1200 loss 0.531",
    "[2026-03-05 14:05:42,123] [INFO] [engine.py:65:step] [Rank 3] loss=0.52",
    "[2026-03-05 14:05:42] w-2:4242:4399 [0] transport/net_ib.cc:688 NCCL WARN NET/IB: Got",
    "INFO:tensorflow:Using config: {'a': b",
    "{\"ts\": 1772719542.9, \"level\": \"INFO\", \"step\": 25, \"loss\": NaN}",
    "{\"log\":\"a\\u00e9\\n\",\"stream\":\"stderr\",\"time\":\"2026-03-05T14:05:42.1Z\"}",
    "[pod/w-2/tensorflow] 2026-03-05T14:05:42.1Z x",
    "2026-03-05T14:05:42.123456789Z stderr P x",
    "Thu Mar  5 14:05:42 2026[1,0]<stdout>:step 100",
    "12/100 [==>...] - ETA: 1:02 - loss: 5.37362026-03-05 14:05:42,448 INFO absl: x",
    "Traceback (most recent call last):",
    "  File \"/app/train.py\", line 419, in <module>",
    "tensorflow.python.framework.errors_impl.UnavailableError: Graph execution error:",
    "Detected at node X defined at (most recent call last):",
    "2 root error(s) found.",
    "  (0) UNAVAILABLE:  Collective ops is aborted by: Error reported from /job:w/task:1: x",
    "Additional GRPC error information from remote target /job:w/replica:0/task:5 while calling x:",
    ":UNKNOWN:Error received from peer  {grpc_message:\"Socket closed\", grpc_status:14}",
    "During handling of the above exception, another exception occurred:",
    "Fatal Python error: Segmentation fault",
    "Current thread 0x00007f2a11223700 (most recent call first):"};

void mutate(std::string& line, Random& random) {
  for (std::size_t times = random.below(4); times > 0 && !line.empty(); --times) {
    const std::size_t at = random.below(line.size());
    switch (random.below(4)) {
      case 0:
        line[at] = static_cast<char>(random.below(256));
        break;
      case 1:
        line.erase(at, 1 + random.below(8));
        break;
      case 2:
        line.insert(at, line.substr(random.below(line.size()), random.below(16)));
        break;
      default:
        line.resize(at);
        break;
    }
  }
}

std::string hostile_text(Random& random) {
  std::string text;
  for (std::size_t lines = 1 + random.below(24); lines > 0; --lines) {
    std::string line(kSeeds[random.below(kSeeds.size())]);
    mutate(line, random);
    text += line;
    text += random.below(10) == 0 ? "\n\n" : random.below(10) == 0 ? "\r\n" : "\n";
  }
  return text;
}

void check(std::string_view text) {
  std::string_view rest = text;
  std::string_view line;
  while (next_line(rest, line)) REQUIRE(testing::check_header(line) == "");
  REQUIRE(testing::check_envelopes(text) == "");
  REQUIRE(testing::check_records(text) == "");
}

}  // namespace

TEST_CASE("mutated lines") {
  Random random(0x9E3779B97F4A7C15);
  for (int i = 0; i < 3000; ++i) {
    const std::string text = hostile_text(random);
    INFO("text: " << text);
    check(text);
  }
}

TEST_CASE("every prefix of every kind of line") {
  for (const std::string_view seed : kSeeds) {
    for (std::size_t n = 0; n <= seed.size(); ++n) check(seed.substr(0, n));
  }
}

TEST_CASE("random bytes, NULs and line ends") {
  Random random(42);
  for (int i = 0; i < 300; ++i) {
    std::string text(random.below(2000), '\0');
    for (char& c : text) c = static_cast<char>(random.below(256));
    check(text);
  }
  check(std::string(5000, '\0'));
  check(std::string(5000, '\n'));
  check("\r\n\r\n\r");
  check("Traceback (most recent call last):\r\n  File \"a.py\", line 1, in f\r\nValueError: x\r\n");
}

TEST_CASE("lines of a mebibyte end in linear time") {
  constexpr std::size_t kSize = std::size_t{1} << 20;
  for (const char c : {'x', ':', '"', '{', '[', ' ', '\\', '1', '(', '\x1b', '}'})
    check(std::string(kSize, c));
  check("{\"a\":" + std::string(kSize, '['));
  std::string status = "E0000 00:00:1772719542.123456   1 a.cc:2] INTERNAL: ";
  while (status.size() < kSize) status += "Collective ops is aborted by: UNAVAILABLE: ";
  check(status);
  std::string roots = "I0000 00:00:1772719542.123456   1 a.cc:2] 3 root error(s) found.\n";
  while (roots.size() < kSize)
    roots += "  (0) INTERNAL:  3 root error(s) found.\n  (1) ABORTED: x\n";
  check(roots);
  std::string chain;
  while (chain.size() < kSize) {
    chain += "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nKeyError: 1\n\n";
    chain += "During handling of the above exception, another exception occurred:\n\n";
  }
  check(chain);
}

}  // namespace tfpm
