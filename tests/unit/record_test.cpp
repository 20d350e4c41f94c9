#include "ingest/record.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "ingest/text_lines.h"

namespace tfpm {
namespace {

struct Seen {
  RecordKind kind;
  std::uint64_t line;
  std::size_t lines;
  std::string text;
};

// Feeds a text line by line; every chunk is destroyed after retain(), as a reader's buffer would
// be.
std::vector<Seen> assemble(std::string_view text, bool with_retain = false) {
  std::vector<Seen> out;
  RecordAssembler assembler;
  const auto keep = [&out](const Record* record) {
    if (record == nullptr) return;
    out.push_back({record->kind, record->place.line, record->lines, std::string(record->text)});
  };
  std::uint64_t number = 0;
  std::string_view line;
  while (next_line(text, line)) {
    std::string chunk(line);
    Fragment fragment;
    fragment.offset = number * 100;
    fragment.line = ++number;
    fragment.text = with_retain ? std::string_view(chunk) : line;
    fragment.header = parse_header(fragment.text);
    keep(assembler.push(fragment));
    if (with_retain) {
      assembler.retain();
      chunk.assign(chunk.size(), '#');
    }
  }
  keep(assembler.finish());
  CHECK(assembler.finish() == nullptr);
  return out;
}

// The number of lines of each record.
std::vector<std::size_t> shape(std::string_view text) {
  std::vector<std::size_t> out;
  const std::vector<Seen> plain = assemble(text);
  const std::vector<Seen> retained = assemble(text, true);
  REQUIRE(plain.size() == retained.size());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    CHECK(plain[i].text == retained[i].text);
    out.push_back(plain[i].lines);
  }
  return out;
}

using Shape = std::vector<std::size_t>;

constexpr std::string_view kError =
    "E0000 00:00:1772719542.123456    9811 base_collective_executor.cc:252] ";
constexpr std::string_view kInfo = "2026-03-05 14:05:42,123 INFO train: ";

std::string error(std::string_view text) {
  return std::string(kError) + std::string(text);
}
std::string info(std::string_view text) {
  return std::string(kInfo) + std::string(text);
}

}  // namespace

TEST_CASE("every header begins a record") {
  const auto seen = assemble(info("step 1 loss 0.5\n") + info("step 2 loss 0.4\n") + error("x\n"));
  REQUIRE(seen.size() == 3);
  CHECK(seen[0].text == "step 1 loss 0.5");
  CHECK(seen[2].kind == RecordKind::kLog);
  CHECK(seen[2].line == 3);
}

TEST_CASE("an empty line does not end a status") {
  CHECK(shape(error("StartAbort DEADLINE_EXCEEDED: Deadline Exceeded\n"
                    "\n"
                    "RPC: /tensorflow.CoordinationService/Heartbeat\n") +
              info("step 3 loss 1\n")) == Shape{3, 1});
  CHECK(shape(error("Local rendezvous is aborting with status: INVALID_ARGUMENT: \n"
                    "\n"
                    "!!! Detected Infinity or NaN in output 0 of graph op \"X\" !!!\n"
                    "  dtype: float32\n"
                    "\n"
                    "  Input tensors (1):\n"
                    "\n") +
              info("step 3 loss 1\n")) == Shape{6, 1});
}

TEST_CASE("lists of tasks and gRPC details belong to their record") {
  const auto seen = assemble(
      error("StartAbort UNAVAILABLE: The following tasks are unhealthy (stopped sending "
            "heartbeats):\n"
            "/job:worker/replica:0/task:2\n"
            "/job:worker/replica:0/task:1\n"
            "The tasks have crashed. Check the task logs.\n") +
      error("StartAbort UNAVAILABLE: Socket closed\n"
            "Additional GRPC error information from remote target /job:worker/replica:0/task:5 "
            "while calling /tensorflow.WorkerService/RecvBuf:\n"
            ":UNKNOWN:Error received from peer  {grpc_message:\"Socket closed\", grpc_status:14}\n"
            "The error could be from a previous operation. Restart your program to reset.\n"
            "\t [[{{node X}}]] [type.googleapis.com/tensorflow.DerivedStatus='']\n"));
  REQUIRE(seen.size() == 2);
  CHECK(seen[0].lines == 4);
  CHECK(seen[1].lines == 5);
}

TEST_CASE("text protos and dicts of Python loggers") {
  CHECK(shape("2026-03-05 14:05:42,123 INFO absl: default session config: device_count {\n"
              "  key: \"GPU\"\n"
              "}\n"
              "device_count {\n"
              "}\n"
              "allow_soft_placement: true\n"
              "training starts\n") == Shape{6, 1});
  CHECK(shape("INFO:tensorflow:Using config: {'_model_dir': 'x', '_session': a: true\n"
              "graph_options {\n"
              "}\n"
              ", '_keep': 5}\n"
              "step 1\n") == Shape{4, 1});
}

TEST_CASE("a training loop in an unknown dialect does not vanish behind a header") {
  CHECK(shape(error("StartAbort UNAVAILABLE: Socket closed\n"
                    "pass 12 cost 3.5\n"
                    "pass 13 cost 3.4\n")) == Shape{1, 1, 1});
  CHECK(shape("I0000 00:00:1772719542.123456    9811 a.cc:1] x\n"
              "training started\n"
              "pass 12 cost 3.5\n") == Shape{1, 1, 1});
  CHECK(shape("Traceback (most recent call last):\n"
              "  File \"/app/t.py\", line 3, in f\n"
              "ValueError: caught\n"
              "pass 12 cost 3.5\n"
              "pass 13 cost 3.4\n") == Shape{3, 1, 1});
}

TEST_CASE("progress, JSON and platform lines are records of their own") {
  CHECK(shape(error("StartAbort INTERNAL: x:\n"
                    "Epoch 3/10\n"
                    " 12/100 [==>....] - ETA: 1:02 - loss: 5.4\n"
                    "{\"step\": 1}\n"
                    "step 4 loss nan\n"
                    "[worker 2] global_step 1200: loss=0.53\n"
                    "srun: error: n1: task 0: Killed\n")) == Shape{1, 1, 1, 1, 1, 1, 1});
}

TEST_CASE("a traceback with its TensorFlow message is one record") {
  const std::string text =
      "Traceback (most recent call last):\n"
      "  File \"/app/train.py\", line 3, in <module>\n"
      "    main()\n"
      "  ^^^^^^^^\n"
      "tensorflow.python.framework.errors_impl.UnavailableError: Graph execution error:\n"
      "\n"
      "Detected at node Reduce defined at (most recent call last):\n"
      "  File \"/app/train.py\", line 3, in <module>\n"
      "\n"
      "  File \"/app/train.py\", line 9, in f\n"
      "\n"
      "Collective ops is aborted by: Socket closed\n"
      "The error could be from a previous operation. Restart your program to reset.\n"
      "\t [[{{node Reduce}}]] [Op:__inference_step_31]\n";
  const auto seen = assemble(text + error("x\n"));
  REQUIRE(seen.size() == 2);
  CHECK(seen[0].kind == RecordKind::kTraceback);
  CHECK(seen[0].text + "\n" == text);
}

TEST_CASE("a traceback that a logger's line opens is one") {
  for (const bool with_retain : {false, true}) {
    const std::vector<Seen> seen = assemble(
        "2026-11-30 13:00:30,110 INFO step 30 loss 0.9250\n"
        "2026-11-30 13:00:31,147 ERROR Traceback (most recent call last):\n"
        "  File \"/srv/train.py\", line 120, in <module>\n"
        "    main()\n"
        "ValueError: bad shape\n"
        "2026-11-30 13:00:32,001 INFO bye\n",
        with_retain);
    REQUIRE(seen.size() == 3);
    CHECK(seen[1].kind == RecordKind::kTraceback);
    CHECK(seen[1].lines == 4);
    CHECK(seen[1].text.ends_with("\nValueError: bad shape"));
    CHECK(seen[2].kind == RecordKind::kLog);
  }
}

TEST_CASE("chains, groups and quoted tracebacks stay together") {
  CHECK(shape("Traceback (most recent call last):\n"
              "  File \"/app/a.py\", line 3, in f\n"
              "tensorflow.python.framework.errors_impl.OutOfRangeError: End [Op:IteratorGetNext] "
              "name: \n"
              "\n"
              "During handling of the above exception, another exception occurred:\n"
              "\n"
              "Traceback (most recent call last):\n"
              "  File \"/app/a.py\", line 5, in <module>\n"
              "    1/0\n"
              "StopIteration\n"
              "step 3 loss 1\n") == Shape{10, 1});
  CHECK(shape("  + Exception Group Traceback (most recent call last):\n"
              "  |   File \"/app/a.py\", line 5, in <module>\n"
              "  | ExceptionGroup: several (1 sub-exception)\n"
              "  +-+---------------- 1 ----------------\n"
              "    | ValueError: bad\n"
              "    +------------------------------------\n"
              "done\n") == Shape{6, 1});
  CHECK(shape("concurrent.futures.process._RemoteTraceback: \n") == Shape{1});
  CHECK(shape("Traceback (most recent call last):\n"
              "  File \"/app/a.py\", line 3, in f\n"
              "concurrent.futures.process._RemoteTraceback: \n"
              "\"\"\"\n"
              "Traceback (most recent call last):\n"
              "  File \"/app/b.py\", line 3, in g\n"
              "ValueError: bad\n"
              "\"\"\"\n"
              "\n"
              "The above exception was the direct cause of the following exception:\n"
              "\n"
              "Traceback (most recent call last):\n"
              "  File \"/app/a.py\", line 5, in <module>\n"
              "ValueError: bad\n") == Shape{14});
}

TEST_CASE("a Python op's traceback inside a status, and a real one behind it") {
  const std::string status = "tensorflow/core/kernels/x.cc:9] UNKNOWN: ValueError: bad\n";
  const std::string head = "2026-03-05 14:05:42.120000: W " + status;
  CHECK(shape(head + "Traceback (most recent call last):\n"
                     "\n"
                     "  File \"/app/a.py\", line 3, in f\n"
                     "\n"
                     "Traceback (most recent call last):\n"
                     "  File \"/app/a.py\", line 5, in <module>\n"
                     "ValueError: bad\n") == Shape{4, 3});
  CHECK(shape(head + "Traceback (most recent call last):\n"
                     "  File \"/app/a.py\", line 5, in <module>\n"
                     "ValueError: bad\n") == Shape{1, 3});
  CHECK(shape(head + "Traceback (most recent call last):\n") == Shape{2});
}

TEST_CASE("a traceback cut by another thread's record is resumed") {
  const auto seen = assemble(
      "Traceback (most recent call last):\n"
      "  File \"/app/a.py\", line 3, in <module>\n" +
      error("StartAbort UNAVAILABLE: Socket closed\n") +
      "    main()\n"
      "  File \"/app/a.py\", line 5, in main\n" +
      error("x\n") + "ValueError: bad\n");
  REQUIRE(seen.size() == 5);
  CHECK(seen[0].kind == RecordKind::kTraceback);
  CHECK(seen[2].kind == RecordKind::kTraceback);
  CHECK(seen[2].lines == 2);
  CHECK(seen[4].kind == RecordKind::kTraceback);
}

TEST_CASE("intros of tracebacks") {
  CHECK(shape("Exception ignored in: <function F at 0x7f>\n"
              "Traceback (most recent call last):\n"
              "  File \"/app/a.py\", line 3, in f\n"
              "TypeError: x\n"
              "Exception in thread Thread-3 (check):\n"
              "Traceback (most recent call last):\n"
              "  File \"/app/a.py\", line 3, in f\n"
              "OSError: y\n"
              "Process SpawnPoolWorker-2:\n"
              "Traceback (most recent call last):\n"
              "  File \"/app/a.py\", line 3, in f\n"
              "OSError: y\n") == Shape{4, 4, 4});
}

TEST_CASE("native crashes") {
  const auto dump = assemble(
      "Fatal glibc error: malloc assertion failure\n"
      "Fatal Python error: Aborted\n"
      "\n"
      "Thread 0x00007f62227bc6c0 (most recent call first):\n"
      "  File \"/app/a.py\", line 48 in sleep\n"
      "\n"
      "Current thread 0x00007f62e3d77040 (most recent call first):\n"
      "  <no Python frame>\n"
      "\n"
      "Extension modules: numpy (total: 1)\n"
      "next\n");
  REQUIRE(dump.size() == 2);
  CHECK(dump[0].kind == RecordKind::kCrash);
  CHECK(dump[0].lines == 10);
  CHECK(shape("terminate called after throwing an instance of 'std::bad_alloc'\n"
              "  what():  std::bad_alloc\n"
              "Aborted (core dumped)\n"
              "*** SIGABRT received at time=1772719542 on cpu 12 ***\n"
              "PC: @     0x7f2a4a5d500b  (unknown)  raise\n"
              "    @     0x7f2a4a5d5090        192  (unknown)\n"
              "Killed\n"
              "done\n") == Shape{7, 1});
  const auto watchdog = assemble(
      "Timeout (0:05:00)!\n"
      "Thread 0x00007f62227bc6c0 (most recent call first):\n"
      "  File \"/app/a.py\", line 48 in sleep\n"
      "Thread 12 (Thread 0x7f2a11223700 (LWP 4301) \"python3\"):\n"
      "#0  0x00007f2a4a5d5376 in pthread_cond_wait ()\n"
      "#1  0x00007f29e0a1c0ff in wait ()\n"
      "bash: line 1:  4242 Killed                  python3 /app/train.py\n");
  REQUIRE(watchdog.size() == 2);
  CHECK(watchdog[0].kind == RecordKind::kStacks);
  CHECK(watchdog[1].kind == RecordKind::kStacks);
  CHECK(watchdog[1].lines == 4);
}

TEST_CASE("places inside a record") {
  RecordAssembler assembler;
  const std::vector<std::string> lines = {error("list:"), "/job:worker/task:1", "",
                                          "/job:worker/task:2"};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    CHECK(assembler.push({i * 100, i + 1, lines[i], parse_header(lines[i])}) == nullptr);
  }
  const Record* record = assembler.finish();
  REQUIRE(record != nullptr);
  CHECK(record->header.family == HeaderFamily::kAbsl);
  CHECK(record->header.message == "list:");
  CHECK(record->place_of(0).line == 1);
  CHECK(record->place_of(record->text.find("task:1")).line == 2);
  CHECK(record->place_of(record->text.find("task:2")).line == 4);
  CHECK(record->place_of(record->text.find("task:2")).offset == 300);
}

TEST_CASE("header fields of a line whose message was rewritten are kept") {
  std::string line = R"({"level": "INFO", "logger": "train.loop", "msg": "a\"b"})";
  std::string message = "a\"b";
  LineHeader header = parse_header(line);
  header.message = message;
  RecordAssembler assembler;
  CHECK(assembler.push({0, 1, message, header}) == nullptr);
  assembler.retain();
  line.assign(line.size(), '#');
  message.assign(message.size(), '#');
  const Record* record = assembler.finish();
  REQUIRE(record != nullptr);
  CHECK(record->header.file == "train.loop");
  CHECK(record->text == "a\"b");
}

TEST_CASE("records are capped") {
  std::string text = error("list:\n");
  for (int i = 0; i < 5000; ++i) text += "  indented\n";
  const auto seen = assemble(text);
  CHECK(seen[0].lines == kMaxRecordLines);
  CHECK(seen.size() > 1000);
  const auto large = assemble(error("x\n ") + std::string(2 << 20, 'y') + "\n z\n");
  REQUIRE(large.size() == 3);
  CHECK(large[0].lines == 1);
}

}  // namespace tfpm
