#include "ingest/status_text.h"

#include <catch2/catch.hpp>
#include <string>

#include "ingest/status_code.h"

namespace tfpm {

TEST_CASE("codes, old and new") {
  CHECK(match_code("UNAVAILABLE: x").name == "UNAVAILABLE");
  CHECK(match_code("Invalid argument: x").name == "INVALID_ARGUMENT");
  CHECK(match_code("UNAVAILABLEX").length == 0);
  CHECK(match_code("OK").length == 0);
  CHECK(code_of_number(14) == "UNAVAILABLE");
  CHECK(code_of_number(0).empty());
  CHECK(code_of_number(99).empty());
  CHECK(code_of_exception("DataLossError") == "DATA_LOSS");
  CHECK(code_of_exception("ValueError").empty());
}

TEST_CASE("task names") {
  CHECK(to_string(*parse_task_name("/job:worker/replica:0/task:3/device:CPU:0")) == "worker-3");
  CHECK(to_string(*parse_task_name("/job:ps/task:0 x")) == "ps-0");
  CHECK_FALSE(parse_task_name("/job:worker"));
  CHECK_FALSE(parse_task_name("job:worker/task:1"));
  const auto tasks =
      list_tasks("Example:\n/job:worker/task:2\n/job:worker/task:1 said\n/job:a/task:1");
  REQUIRE(tasks.size() == 2);
  CHECK(to_string(tasks[1]) == "a-1");
}

TEST_CASE("who is gone: communication statuses") {
  for (const std::string_view text :
       {"BaseCollectiveExecutor::StartAbort UNAVAILABLE: Socket closed",
        "Aborting RingReduce with UNAVAILABLE: Collective ops is aborted by: recvmsg:Connection "
        "reset by peer",
        "StartAbort DEADLINE_EXCEEDED: Deadline Exceeded\n\nRPC: /x/Heartbeat",
        "StartAbort UNAVAILABLE: Failed to send RPC to coordination service. Either the leader",
        "Aborting RingReduce with CANCELLED: CANCELLED",
        "StartAbort INTERNAL: Barrier failed because: task is set to ERROR: ABORTED: "
        "/job:worker/task:1 unexpectedly tried to connect with a different incarnation.",
        "Unavailable: failed to connect to all addresses",
        "INTERNAL: x\nExecuting non-communication op <a> originally returned UnavailableError, and "
        "was replaced by InternalError"}) {
    CAPTURE(text);
    CHECK(parse_status(text).communication);
  }
}

TEST_CASE("the clean-up of a step on a server is no communication error") {
  CHECK_FALSE(parse_status("Local rendezvous is aborting with status: ABORTED: Cleanup "
                           "-546158198986744668 [type.googleapis.com/tensorflow.DerivedStatus='']")
                  .communication);
  CHECK(parse_status("Local rendezvous is aborting with status: ABORTED: Cleanup failed on a peer")
            .communication);
}

TEST_CASE("roots that travelled through a collective are no communication errors") {
  for (const std::string_view text :
       {"StartAbort INVALID_ARGUMENT: Collective ops is aborted by: Shape mismatch in the "
        "collective instance 100. Op at device /job:worker/replica:0/task:1/device:CPU:0",
        "INTERNAL: Collective ops is aborted by: Collective instance 141 expected type 0 and "
        "data_type 9 but got type 0 and data_type 1",
        "INTERNAL: Device /job:worker/task:1/device:CPU:0 is joining a group with size2, but that "
        "group has size 3 (group_key=1)",
        "DATA_LOSS: corrupted record at 12", "OUT_OF_RANGE: End of sequence",
        "ABORTED: Collective ops is aborted by: OUT_OF_RANGE: End of sequence",
        "INVALID_ARGUMENT: \n\n!!! Detected Infinity or NaN in output 0",
        "UNAVAILABLE: Error executing an HTTP request: libcurl code 6 meaning x gs://bucket/a",
        "RESOURCE_EXHAUSTED: OOM when allocating tensor with shape[2,2]", "no status at all"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_status(text).communication);
  }
}

TEST_CASE("the parts of a status") {
  const auto info = parse_status(
      "Local rendezvous is aborting with status: UNAVAILABLE: Collective ops is aborted by: Error "
      "reported from /job:worker/task:2: The following tasks are unhealthy (stopped sending "
      "heartbeats):\n/job:worker/replica:0/task:2\n/job:worker/replica:0/task:1\nThe tasks have "
      "crashed.\nThe error could be from a previous operation. Restart your program to reset.\n\t "
      "[[{{node CollectiveReduceV2}}]] [type.googleapis.com/tensorflow.DerivedStatus='']");
  CHECK(info.outer_status == "UNAVAILABLE");
  CHECK(to_string(*info.reported_from) == "worker-2");
  REQUIRE(info.named.size() == 2);
  CHECK(to_string(info.named[1]) == "worker-1");
  CHECK(info.derived);
  CHECK(info.op == "CollectiveReduceV2");
  CHECK(info.inner_text.starts_with("The following tasks are unhealthy"));
  CHECK(info.inner_text.ends_with("crashed."));
}

TEST_CASE("a code is taken from the peer's answer when the text has none") {
  const auto info = parse_status(
      "Failed to remove function remotely due to failed to connect to all addresses; last error: "
      "UNKNOWN: ipv4:10.0.0.1:2222: Connection refused\n"
      "Additional GRPC error information from remote target /job:ps/replica:0/task:0/device:CPU:0 "
      "while calling /tensorflow.eager.EagerService/Enqueue:\n"
      ":UNKNOWN:Error received from peer  {grpc_message:\"x\", grpc_status:14}");
  CHECK(info.inner_status == "UNAVAILABLE");
  CHECK(info.communication);
  CHECK(to_string(info.hops.at(0).target) == "ps-0");
}

TEST_CASE("several root errors: the one that is more than a lost call") {
  const std::string list =
      "Graph execution error:\n\n3 root error(s) found.\n"
      "  (0) CANCELLED:  Function was cancelled before it was started\n"
      "  (1) UNAVAILABLE:  Socket closed\n"
      "  (2) DATA_LOSS:  corrupted record at 12\n"
      "0 successful operations.\n0 derived errors ignored.";
  const auto info = parse_status(list, "CANCELLED");
  CHECK(info.inner_status == "DATA_LOSS");
  CHECK(info.inner_text == "corrupted record at 12");
  CHECK_FALSE(info.communication);
}

TEST_CASE("a hop that only the JSON of an old version tells") {
  const auto info = parse_status(
      "Unavailable: Socket closed\n"
      "Additional GRPC error information from remote target /job:worker/replica:0/task:1:\n"
      ":{\"created\":\"@1771061533.1\",\"grpc_message\":\"Socket closed\\nAdditional GRPC error "
      "information from remote target /job:ps/replica:0/task:0:\\n\",\"grpc_status\":14}");
  REQUIRE(info.hops.size() == 2);
  CHECK(to_string(info.hops[0].target) == "ps-0");
  CHECK(info.hops[0].method.empty());
}

TEST_CASE("nested lists of root errors end") {
  std::string text = "INTERNAL: ";
  for (int i = 0; i < 20'000; ++i) text += "1 root error(s) found.\n  (0) INTERNAL: ";
  CHECK(parse_status(text).outer_status == "INTERNAL");
}

}  // namespace tfpm
