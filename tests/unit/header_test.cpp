#include <catch2/catch.hpp>

#include "ingest/lines.h"

namespace tfpm {
namespace {

constexpr std::int64_t kDay = 86'400'000'000;
// 2026-03-05 14:05:42.123456 UTC
constexpr std::int64_t kMoment = 1'772'719'542'123'456;

struct Expected {
  std::string_view line;
  HeaderFamily family;
  LogSeverity severity;
  std::string_view file;
  std::string_view message;
};

void check(const Expected& e) {
  CAPTURE(e.line);
  const LineHeader h = parse_header(e.line);
  CHECK(to_string(h.family) == to_string(e.family));
  CHECK(to_string(h.severity) == to_string(e.severity));
  CHECK(h.file == e.file);
  CHECK(h.message == e.message);
}

}  // namespace

TEST_CASE("stamps of other writers: epoch, short dates, logfmt") {
  const LineHeader epoch = parse_header("INFO:1772719542.123456:tensorflow:loss = 1, step = 2");
  CHECK(epoch.stamp.time_us == kMoment);
  CHECK(epoch.stamp.basis == StampBasis::kEpoch);
  CHECK(epoch.file == "tensorflow");
  CHECK(epoch.message == "loss = 1, step = 2");
  const LineHeader front = parse_header("1772719542.123456 step 2 loss 1");
  CHECK(front.stamp.time_us == kMoment);
  CHECK(front.message == "step 2 loss 1");
  CHECK(parse_header("1772719542 samples read").stamp.basis == StampBasis::kNone);
  check({"26/03/05 14:05:42 ERROR train: lost", HeaderFamily::kPython, LogSeverity::kError, "train",
         "lost"});
  check({R"(time="2026-03-05T14:05:42Z" level=error msg="cannot \"bind\"")", HeaderFamily::kPython,
         LogSeverity::kError, "", R"(cannot \"bind\")"});
  check({R"(time="2026-03-05T14:05:42Z" level=info msg="done" step=3)", HeaderFamily::kPython,
         LogSeverity::kInfo, "", R"(msg="done" step=3)"});
}

TEST_CASE("TensorFlow's classic header") {
  const LineHeader h = parse_header(
      "2026-03-05 14:05:42.123456: E tensorflow/core/common_runtime/x.cc:249] Abort: y]");
  CHECK(h.family == HeaderFamily::kTfClassic);
  CHECK(h.stamp.time_us == kMoment);
  CHECK(h.stamp.basis == StampBasis::kLocal);
  CHECK(h.severity == LogSeverity::kError);
  CHECK(h.file == "tensorflow/core/common_runtime/x.cc");
  CHECK(h.file_line == 249);
  CHECK_FALSE(h.thread_id);
  CHECK(h.cpp_file);
  CHECK(h.message == "Abort: y]");
  const LineHeader tid =
      parse_header("2026-03-05 14:05:42.123456: I   48213 a/gpu_device.cc:1510] Created");
  CHECK(tid.thread_id == 48213);
  CHECK(tid.message == "Created");
  const LineHeader print = parse_header(
      "2026-03-05 14:05:42.1: I tensorflow/core/kernels/logging_ops.cc:170] step: 9 loss: inf");
  CHECK_FALSE(print.cpp_file);
  CHECK(print.stamp.time_us == kMoment - 23'456);
}

TEST_CASE("absl headers, before and after InitializeLog") {
  const LineHeader epoch = parse_header(
      "I0000 00:00:1772719542.123456   21777 coordination_service_agent.cc:245] Connected.");
  CHECK(epoch.family == HeaderFamily::kAbsl);
  CHECK(epoch.stamp.time_us == kMoment);
  CHECK(epoch.stamp.basis == StampBasis::kEpoch);
  CHECK(epoch.thread_id == 21777);
  CHECK(epoch.message == "Connected.");
  const LineHeader unset = parse_header("I0000 00:00:0000000000.123456   21777 a.cc:245] x");
  CHECK(unset.stamp.basis == StampBasis::kNone);  // all zeros: nobody set the clock
  CHECK(unset.thread_id == 21777);
  const LineHeader dated =
      parse_header("E0305 14:05:42.123456    1234 coordination_service.h:268] x");
  CHECK(dated.stamp.basis == StampBasis::kNoYear);
  CHECK(in_year(dated.stamp, 2026) == kMoment);
  CHECK(in_year(dated.stamp, 2024) == kMoment - 730 * kDay);
  const LineHeader grpc =
      parse_header("E0305 14:05:42.123456789   20418 server.cc:40]        {\"a\":1}");
  CHECK(in_year(grpc.stamp, 2026) == kMoment);
  CHECK(grpc.message == "{\"a\":1}");
  const LineHeader raw = parse_header("[failure_signal_handler.cc : 345] RAW: Signal 6 raised");
  CHECK(raw.family == HeaderFamily::kAbsl);
  CHECK(raw.file_line == 345);
  CHECK(raw.message == "RAW: Signal 6 raised");
}

TEST_CASE("absl-py is told from absl C++ by the thread id and the file") {
  const LineHeader h = parse_header(
      "W0305 14:05:42.123456 140234567890123 cross_device_ops.py:1053] Waiting for the cluster");
  CHECK(h.family == HeaderFamily::kAbslPython);
  CHECK(h.severity == LogSeverity::kWarning);
  CHECK_FALSE(h.cpp_file);
  CHECK_FALSE(h.thread_id);
  CHECK(h.file == "cross_device_ops.py");
}

TEST_CASE("formats of Python's logging") {
  const auto info = LogSeverity::kInfo;
  const auto python = HeaderFamily::kPython;
  check({"2026-03-05 14:05:42,123 INFO train: step 1200 loss 0.531", python, info, "train",
         "step 1200 loss 0.531"});
  check({"2026-03-05 14:05:42,123 - trainer - ERROR - checkpoint failed", python,
         LogSeverity::kError, "trainer", "checkpoint failed"});
  check({"[2026-03-05 14:05:42,123][trainer.loop][INFO] - epoch 3 done", python, info,
         "trainer.loop", "epoch 3 done"});
  check({"[2026-03-05 14:05:42,123] [INFO] [engine.py:65:step] [Rank 3] loss=0.52", python, info,
         "engine.py", "[Rank 3] loss=0.52"});
  check({"[2026-03-05 14:05:42,123: INFO/MainProcess] received task", python, info, "",
         "received task"});
  check({"2026-03-05 14:05:42.123 | INFO     | __main__:main:42 - loss=0.531", python, info,
         "__main__", "loss=0.531"});
  check({"INFO 2026-03-05 14:05:42,123 train.py:42: loss=0.531", python, info, "train.py",
         "loss=0.531"});
  check({"2026-03-05 14:05:42,123 ERROR tensorflow:  /job:worker/task:1 encountered", python,
         LogSeverity::kError, "tensorflow", " /job:worker/task:1 encountered"});
  check({"2026-03-05 14:05:42 INFO loss: 0.53 step: 12", python, info, "", "loss: 0.53 step: 12"});
  check({"2026-03-05 14:05:42,123 WARNING tensorflow: 5 out of the last 5 calls", python,
         LogSeverity::kWarning, "tensorflow", "5 out of the last 5 calls"});
  check({"2026-03-05 14:05:42 ERROR ValueError: bad", python, LogSeverity::kError, "",
         "ValueError: bad"});
  check({"2026-03-05 14:05:42 INFO step 12", python, info, "", "step 12"});
  check({"2026-03-05T14:05:42.123Z WARN trainer: slow", python, LogSeverity::kWarning, "trainer",
         "slow"});
  check({"2026-03-05 14:05:42 [info     ] epoch done", python, info, "", "epoch done"});
  check({"[INFO] epoch done", python, info, "", "epoch done"});
  check({"[INFO|trainer.py:1234] 2026-03-05 14:05:42,123 >> Saving", python, info, "trainer.py",
         "Saving"});
  check(
      {"\x1b[32m2026-03-05 14:05:42.123\x1b[0m | \x1b[1mINFO    \x1b[0m | \x1b[36mmain\x1b[0m:"
       "\x1b[36mrun\x1b[0m:\x1b[36m3\x1b[0m - \x1b[1mhello\x1b[0m",
       python, info, "",
       "\x1b[36mmain\x1b[0m:\x1b[36mrun\x1b[0m:\x1b[36m3\x1b[0m - \x1b[1mhello"
       "\x1b[0m"});
}

TEST_CASE("levels without a stamp, and stamps without a level") {
  check({"INFO:tensorflow:Waiting, timeout = inf", HeaderFamily::kTfLogger, LogSeverity::kInfo,
         "tensorflow", "Waiting, timeout = inf"});
  check({"WARNING: All log messages before absl::InitializeLog() is called",
         HeaderFamily::kTfLogger, LogSeverity::kWarning, "",
         "WARNING: All log messages before absl::InitializeLog() is called"});
  check({"[14:05:42] global_step=9 loss=11.05", HeaderFamily::kBracketTime, LogSeverity::kNone, "",
         "global_step=9 loss=11.05"});
  check({"2026-03-05T14:05:42Z started worker-0 attempt 0", HeaderFamily::kIsoOnly,
         LogSeverity::kNone, "", "started worker-0 attempt 0"});
  check({"2026-03-05 14:05:42 worker error occurred", HeaderFamily::kIsoOnly, LogSeverity::kNone,
         "", "worker error occurred"});
  check({"/app/train.py:88: UserWarning: ran out of data", HeaderFamily::kPython,
         LogSeverity::kWarning, "/app/train.py", "UserWarning: ran out of data"});
  CHECK(parse_header("[14:05:42] x").stamp.time_us == 50'742'000'000);
  CHECK(parse_header("[14:05:42] x").stamp.basis == StampBasis::kTimeOnly);
  CHECK(parse_header("2026-03-05T16:05:42.123456+02:00 x").stamp.time_us == kMoment);
}

TEST_CASE("NCCL and Horovod") {
  const LineHeader info = parse_header("worker-2:4242:4301 [0] NCCL INFO Ring 00 : 3 -> 4");
  CHECK(info.family == HeaderFamily::kNccl);
  CHECK(info.host == "worker-2");
  CHECK(info.thread_id == 4301);
  CHECK(info.message == "NCCL INFO Ring 00 : 3 -> 4");
  const LineHeader warn = parse_header(
      "[2026-03-05 14:05:42] w-2:4242:4399 [0] transport/net_ib.cc:688 (f) NCCL WARN NET/IB: Got");
  CHECK(warn.family == HeaderFamily::kNccl);
  CHECK(warn.severity == LogSeverity::kWarning);
  CHECK(warn.file == "transport/net_ib.cc");
  CHECK(warn.message == "NCCL WARN NET/IB: Got");
  CHECK(warn.stamp.time_us == kMoment / 1'000'000 * 1'000'000);
  check({"[2026-03-05 14:05:42.123456: W horovod/common/stall_inspector.cc:107] Stalled",
         HeaderFamily::kHorovod, LogSeverity::kWarning, "horovod/common/stall_inspector.cc",
         "Stalled"});
  check({"[W horovod/common/stall_inspector.cc:107] Stalled", HeaderFamily::kHorovod,
         LogSeverity::kWarning, "horovod/common/stall_inspector.cc", "Stalled"});
}

TEST_CASE("JSON lines keep their numbers for the step learner") {
  const std::string_view step =
      R"({"ts": 1772719542.123456, "level": "INFO", "step": 25, "loss": NaN, "task": "worker-0"})";
  check({step, HeaderFamily::kJson, LogSeverity::kInfo, "", step});
  CHECK(parse_header(step).stamp.time_us == kMoment);
  check(
      {R"({"asctime": "2026-03-05 14:05:42,123", "levelname": "ERROR", "message": "a\"b", "rank": 3})",
       HeaderFamily::kJson, LogSeverity::kError, "", R"(a\"b)"});
  CHECK(parse_header(R"({"level": "INFO", "msg": "a\"b"})").escaped);
  CHECK(parse_header(R"({"level": "INFO", "step": 3)").family == HeaderFamily::kNone);
  CHECK(parse_header(R"({"a": "b"})").family == HeaderFamily::kNone);
}

TEST_CASE("text that is no header") {
  for (const std::string_view line : {"",
                                      " ",
                                      "step 12 loss 0.5",
                                      "  File \"x.py\", line 3, in f",
                                      "Epoch 3/10",
                                      "[0.1 0.2]",
                                      " 12/100 [==>...........] - ETA: 1:02",
                                      "I am here",
                                      "E",
                                      "I0305",
                                      "2026",
                                      "[",
                                      "{",
                                      "{\"",
                                      "ERROR",
                                      "INFO",
                                      "2026-13-05 14:05:42.123456: E a.cc:1] x",
                                      "12:99:00 x",
                                      "0000 00:00:1772719542.1",
                                      "host:12:34 [0] other",
                                      "a:1: b",
                                      "error: something",
                                      "/job:worker/replica:0/task:1",
                                      "RPC: /tensorflow.CoordinationService/Heartbeat"}) {
    CAPTURE(line);
    const LineHeader h = parse_header(line);
    CHECK(to_string(h.family) == "none");
    CHECK(h.message == line);
    CHECK(h.stamp.basis == StampBasis::kNone);
  }
}

TEST_CASE("headers glued behind a progress bar") {
  const std::string_view bar = "12/100 [==>...] - ETA: 1:02 - loss: 5.3736";
  const auto glued = [bar](std::string_view header) {
    const std::string line = std::string(bar) + std::string(header);
    return find_glued_header(line);
  };
  CHECK(glued("2026-03-05 14:05:42,448 INFO absl: saved") == bar.size());
  CHECK(glued("2026-03-05 14:05:42.120000: W tensorflow/a.cc:12] x") == bar.size());
  CHECK(glued("E0000 00:00:1772719542.123456   21777 cuda_dnn.cc:8670] x") == bar.size());
  CHECK(glued("INFO:tensorflow:Saving") == bar.size());
  CHECK(glued(" 2026-03-05 14:05:42 noon") == std::string_view::npos);
  CHECK(glued("") == std::string_view::npos);
  CHECK(glued("Traceback (most recent call last):") == bar.size());
  CHECK(find_glued_header("worker 3: Traceback (most recent call last):") ==
        std::string_view::npos);
  CHECK(find_glued_header("INFO:tensorflow:x") == std::string_view::npos);
}

TEST_CASE("JSON escapes") {
  std::string out;
  unescape_json(R"(a\tb\n\"q\" \\ \u00e9 \ud83d\ude00 \ud83d x\q\)", out);
  CHECK(out == "a\tb\n\"q\" \\ \xc3\xa9 \xf0\x9f\x98\x80 \xef\xbf\xbd x\\q\\");
}

}  // namespace tfpm
