// Communicators, stall reports in their dialects, barriers (parsers/detail/collective_text.h).
#include "parsers/detail/collective_text.h"

#include <catch2/catch.hpp>

namespace tfpm {
namespace {

using Names = std::vector<std::string>;

TEST_CASE("NCCL's init lines of all versions give rank and size") {
  const auto start = parse_collective_member(
      "NCCL INFO ncclCommInitRank comm 0x5581a0 rank 4 nranks 8 cudaDev 0 nvmlDev 0 busId 3b000 "
      "commId 0x9a1c7e21 - Init START");
  REQUIRE(start);
  CHECK(start->rank == 4);
  CHECK(start->nranks == 8);
  CHECK(start->comm == "0x5581a0");
  CHECK(start->comm_id == "0x9a1c7e21");
  CHECK(start->device == 0);
  CHECK_FALSE(start->complete);
  const auto old = parse_collective_member(
      "NCCL INFO comm 0x7f1 rank 1 nranks 2 cudaDev 1 busId 5e000 - Init COMPLETE");
  REQUIRE(old);
  CHECK(old->complete);
  CHECK_FALSE(old->comm_id);
  CHECK_FALSE(parse_collective_member("NCCL INFO comm 0x7f1 rank 2 nranks 2 - Init COMPLETE"));
  CHECK_FALSE(parse_collective_member("NCCL INFO Connected all rings"));
}

TEST_CASE("opCount of a collective is hexadecimal") {
  const auto call = parse_collective_call(
      "NCCL INFO AllReduce: opCount 2f1 sendbuff 0x7f recvbuff 0x7f count 25557032 datatype 7 op 0 "
      "root 0 comm 0x5581a0 [nranks=8] stream 0x55");
  REQUIRE(call);
  CHECK(call->op == "AllReduce");
  CHECK(call->op_count == 0x2f1);
  CHECK(call->elements == 25557032);
  CHECK(call->nranks == 8);
}

TEST_CASE("Horovod's four stall dialects name missing and ready ranks") {
  const auto list = parse_collective_wait(
      "One or more tensors were submitted\nMissing ranks:\n3: [grads/kernel, grads/bias]\n5!: [x]");
  REQUIRE(list);
  CHECK(list->dialect == "horovod-missing-list");
  CHECK(list->missing == Names{"3", "5"});
  CHECK(list->name == "grads/kernel");
  const auto stalled = parse_collective_wait("Stalled ranks:\n4: [horovod_allreduce.0, b ...]");
  REQUIRE(stalled);
  CHECK(stalled->dialect == "horovod-stalled-list");
  CHECK(stalled->missing == Names{"4"});
  const auto inside =
      parse_collective_wait("Stalled ops:\nHorovodAllreduce_b_0 [missing ranks: 0, 2]");
  REQUIRE(inside);
  CHECK(inside->dialect == "horovod-missing-inline");
  CHECK(inside->missing == Names{"0", "2"});
  CHECK(inside->name == "HorovodAllreduce_b_0");
  const auto ready = parse_collective_wait("Stalled ops: A [ready ranks: 3, 2, 1, 0], B [ready");
  REQUIRE(ready);
  CHECK(ready->ready == Names{"3", "2", "1", "0"});
  CHECK(ready->missing.empty());
}

TEST_CASE("a barrier that timed out says who came and who did not") {
  const auto now = parse_collective_wait(
      "DEADLINE_EXCEEDED: Barrier timed out. Id: Wait::4077::0. This usually happens. # of tasks "
      "that reached the barrier: 6/8. The first task at the barrier: /job:worker/replica:0/task:0. "
      "Some timed out task "
      "names:\n/job:worker/replica:0/task:3\n/job:worker/replica:0/task:7\n\nRPC:");
  REQUIRE(now);
  CHECK(now->name == "Wait::4077::0");
  CHECK(now->reached == 6);
  CHECK(now->expected == 8);
  CHECK(now->missing == Names{"/job:worker/replica:0/task:3", "/job:worker/replica:0/task:7"});
  const auto old = parse_collective_wait(
      "Barrier timed out. Barrier_id: W::1. Timed out task names:\n/job:ps/task:0");
  REQUIRE(old);
  CHECK(old->name == "W::1");
  CHECK(old->missing == Names{"/job:ps/task:0"});
  CHECK_FALSE(old->reached);
  CHECK_FALSE(parse_collective_wait("Barrier(W::1) has passed with status: OK"));
}

}  // namespace
}  // namespace tfpm
