#include "ingest/traceback.h"

#include <catch2/catch.hpp>

#include "ingest/crash.h"

namespace tfpm {

TEST_CASE("a plain exception of the program") {
  const auto info = parse_traceback(
      "Traceback (most recent call last):\n"
      "  File \"/app/train.py\", line 433, in <module>\n"
      "    main()\n"
      "  File \"/app/train.py\", line 71, in on_step\n"
      "    raise ValueError(\"bad\")\n"
      "  File \"/venv/lib/python3.11/site-packages/x/y.py\", line 5, in g\n"
      "ValueError: unexpected label id 10\n"
      "second line");
  CHECK(info.exception == "ValueError");
  CHECK(info.exception_path == "ValueError");
  CHECK(info.message == "unexpected label id 10");
  CHECK(info.full_message == "unexpected label id 10\nsecond line");
  REQUIRE(info.frame);
  CHECK(info.frame->file == "/app/train.py");
  CHECK(info.frame->line == 71);
  CHECK(info.frame->function == "on_step");
  REQUIRE(info.innermost);
  CHECK(info.innermost->function == "g");
  CHECK(info.fatal);
  CHECK_FALSE(info.has_status);
  CHECK(info.original_path.empty());
}

TEST_CASE("a chain: the first exception is the original one") {
  const auto info = parse_traceback(
      "Traceback (most recent call last):\n"
      "  File \"/venv/lib/python3.11/site-packages/tensorflow/python/data/i.py\", line 8, in n\n"
      "tensorflow.python.framework.errors_impl.OutOfRangeError: {{function_node __wrapped__X}} End "
      "of sequence [Op:IteratorGetNext] name: \n"
      "\n"
      "During handling of the above exception, another exception occurred:\n"
      "\n"
      "Traceback (most recent call last):\n"
      "  File \"/app/train.py\", line 338, in <module>\n"
      "    l = next(it)\n"
      "  File \"/venv/lib/python3.11/site-packages/tensorflow/python/data/i.py\", line 9, in n\n"
      "StopIteration");
  CHECK(info.exception == "StopIteration");
  CHECK(info.message.empty());
  CHECK(info.original_path == "tensorflow.python.framework.errors_impl.OutOfRangeError");
  CHECK(info.frame->line == 338);
  CHECK(info.fatal);
}

TEST_CASE("a cascade: the innermost status and who passed it on") {
  const auto info = parse_traceback(
      "Traceback (most recent call last):\n"
      "  File \"/app/train.py\", line 419, in <module>\n"
      "tensorflow.python.framework.errors_impl.UnavailableError: Graph execution error:\n"
      "\n"
      "Detected at node Reduce defined at (most recent call last):\n"
      "  File \"/app/train.py\", line 208, in step\n"
      "\n"
      "Collective ops is aborted by: Collective ops is aborted by: Socket closed\n"
      "Additional GRPC error information from remote target /job:worker/replica:0/task:5 while "
      "calling /tensorflow.WorkerService/RecvBuf:\n"
      ":UNKNOWN:Error received from peer  {grpc_status:14, grpc_message:\"Socket closed\"}\n"
      "The error could be from a previous operation. Restart your program to reset.\n"
      "Additional GRPC error information from remote target /job:worker/replica:0/task:6 while "
      "calling /tensorflow.WorkerService/RecvBuf:\n"
      ":UNKNOWN:Error received from peer  {grpc_status:14, grpc_message:\"Collective ops is "
      "aborted "
      "by: Socket closed\\nAdditional GRPC error information from remote target "
      "/job:worker/replica:0/task:5 while calling x\"}\n"
      "\t [[{{node Reduce}}]] [Op:__inference_train_step_331]");
  CHECK(info.has_status);
  CHECK(info.status.inner_status == "UNAVAILABLE");
  CHECK(info.status.inner_text == "Socket closed");
  CHECK(info.status.communication);
  CHECK(info.status.wrapped);
  CHECK(info.status.op == "Reduce");
  REQUIRE(info.status.hops.size() == 2);
  CHECK(to_string(info.status.hops[0].target) == "worker-5");
  CHECK(info.status.hops[0].method == "/tensorflow.WorkerService/RecvBuf");
  CHECK(to_string(info.status.hops[1].target) == "worker-6");
  CHECK(info.frame->line == 419);
}

TEST_CASE("tracebacks that do not end the process") {
  const std::string_view body =
      "Traceback (most recent call last):\n"
      "  File \"/usr/lib/python3.11/threading.py\", line 3, in _bootstrap_inner\n"
      "OSError: x";
  const auto thread = parse_traceback("Exception in thread T-1:\n" + std::string(body));
  CHECK(thread.origin == TracebackOrigin::kThread);
  CHECK_FALSE(thread.fatal);
  const auto ignored = parse_traceback("Exception ignored in: <function F>\n" + std::string(body));
  CHECK(ignored.origin == TracebackOrigin::kIgnored);
  CHECK_FALSE(ignored.fatal);
  const auto child = parse_traceback("Process SpawnPoolWorker-2:\n" + std::string(body));
  CHECK(child.origin == TracebackOrigin::kChildProcess);
  CHECK_FALSE(parse_traceback(body).fatal);  // caught and printed
  CHECK(child.exception == "OSError");
}

TEST_CASE("pieces of a cut traceback") {
  const auto tail = parse_traceback(
      "  File \"/app/a.py\", line 5, in main\n"
      "    f()\n"
      "ValueError: bad");
  CHECK(tail.fatal);
  CHECK(tail.frame->line == 5);
  CHECK(parse_traceback("ValueError: bad").exception == "ValueError");
  const auto head = parse_traceback(
      "Traceback (most recent call last):\n  File \"/app/a.py\", line 5, in <module>");
  CHECK(head.exception_path.empty());
  CHECK_FALSE(head.fatal);
  CHECK(parse_traceback("").exception_path.empty());
}

TEST_CASE("groups, remote tracebacks and Python ops name the original") {
  const auto group = parse_traceback(
      "  + Exception Group Traceback (most recent call last):\n"
      "  |   File \"/app/a.py\", line 5, in <module>\n"
      "  | ExceptionGroup: several (2 sub-exceptions)\n"
      "  +-+---------------- 1 ----------------\n"
      "    | Traceback (most recent call last):\n"
      "    |   File \"/app/b.py\", line 7, in g\n"
      "    | ValueError: bad\n"
      "    +---------------- 2 ----------------\n"
      "    | TypeError: worse\n"
      "    +------------------------------------");
  CHECK(group.exception == "ExceptionGroup");
  CHECK(group.message == "several (2 sub-exceptions)");
  CHECK(group.original_path == "ValueError");
  CHECK(group.original_message == "bad");
  CHECK(group.fatal);
  const auto remote = parse_traceback(
      "concurrent.futures.process._RemoteTraceback: \n"
      "\"\"\"\n"
      "Traceback (most recent call last):\n"
      "  File \"/app/b.py\", line 3, in g\n"
      "KeyError: 'x'\n"
      "\"\"\"\n"
      "\n"
      "The above exception was the direct cause of the following exception:\n"
      "\n"
      "Traceback (most recent call last):\n"
      "  File \"/usr/lib/python3.11/runpy.py\", line 5, in <module>\n"
      "KeyError: 'x'");
  CHECK(remote.original_path == "KeyError");
  CHECK(remote.frame->file == "/app/b.py");
  const auto op = parse_traceback(
      "Traceback (most recent call last):\n"
      "  File \"/app/a.py\", line 5, in <module>\n"
      "tensorflow.python.framework.errors_impl.UnknownError: {{function_node __wrapped__X}} "
      "ValueError: bad label\n"
      "Traceback (most recent call last):\n"
      "\n"
      "  File \"/app/b.py\", line 3, in g\n"
      "\n"
      "\t [[{{node PyFunc}}]] [Op:IteratorGetNext] name: ");
  CHECK(op.exception == "UnknownError");
  CHECK(op.status.python_exception);
  CHECK(op.original_path == "ValueError");
  CHECK(op.original_message == "bad label");
}

TEST_CASE("frames") {
  CHECK(parse_frame_line("  File \"/a b.py\", line 3, in f")->file == "/a b.py");
  CHECK(parse_frame_line("  File \"/a.py\", line 3 in f.<locals>.g")->function == "f.<locals>.g");
  CHECK(parse_frame_line("  File \"/a.py\", line 3")->function.empty());
  CHECK_FALSE(parse_frame_line("  File \"/a.py\", line x in f"));
  CHECK_FALSE(parse_frame_line("    raise ValueError"));
  CHECK(is_program_file("/app/train.py"));
  CHECK(is_program_file("<string>"));
  CHECK_FALSE(is_program_file("<frozen runpy>"));
  CHECK_FALSE(is_program_file("/opt/venv/lib/python3.11/site-packages/keras/x.py"));
  CHECK_FALSE(is_program_file("/tmp/__autograph_generated_file8yq.py"));
}

TEST_CASE("faulthandler dumps: the current thread's frame counts") {
  const auto info = parse_crash(
      "Fatal Python error: Segmentation fault\n"
      "\n"
      "Thread 0x00007f2947732740 (most recent call first):\n"
      "  File \"/app/data.py\", line 51 in _read\n"
      "\n"
      "Current thread 0x00007f2a11223700 (most recent call first):\n"
      "  File \"/venv/lib/python3.11/site-packages/tensorflow/python/p.py\", line 149 in stop\n"
      "  File \"/app/train.py\", line 120 in train_step\n"
      "  File \"/app/train.py\", line 429 in <module>\n"
      "\n"
      "Extension modules: numpy (total: 1)");
  CHECK(info.crash == "segfault");
  CHECK(info.signal == 11);
  CHECK(info.frame->line == 120);
  CHECK(info.innermost->function == "stop");
}

TEST_CASE("other crash texts") {
  const auto glibc =
      parse_crash("double free or corruption (!prev)\nFatal Python error: Aborted\n");
  CHECK(glibc.crash == "abort");
  CHECK(glibc.reason == "double free or corruption (!prev)");
  const auto terminate = parse_crash(
      "terminate called after throwing an instance of 'std::bad_alloc'\n"
      "  what():  std::bad_alloc");
  CHECK(terminate.crash == "abort");
  CHECK(terminate.reason.find("what():") != std::string::npos);
  const auto absl = parse_crash("*** SIGBUS received at time=1772719542 on cpu 12 ***\nPC: @ 0x7f");
  CHECK(absl.crash == "bus-error");
  CHECK(absl.signal == 7);
  CHECK(absl.time_s == 1'772'719'542);
  CHECK(parse_crash("*** Received signal 11 ***").crash == "segfault");
  CHECK(parse_crash("*** Signal 12 received at time=1772719542 ***").signal == 12);
  CHECK(parse_crash("Check failed: a == b (1 vs. 2) ").crash == "check-failed");
  CHECK(parse_crash("Killed").crash == "killed");
  CHECK(parse_crash("bash: line 1:  4242 Segmentation fault      (core dumped) python3").crash ==
        "segfault");
  CHECK(parse_crash("Program terminated with signal SIGSEGV, Segmentation fault.").signal == 11);
  CHECK(parse_crash("Fatal Python error: PyEval_RestoreThread: NULL tstate").crash ==
        "interpreter");
  CHECK(parse_crash("train: a.c:81: f: Assertion `x' failed.").crash == "abort");
  CHECK(parse_crash("all is well").crash.empty());
  CHECK(parse_crash("").crash.empty());
}

}  // namespace tfpm
