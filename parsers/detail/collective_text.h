// What logs say of collectives in numbers: NCCL's communicators and calls, Horovod's stall reports,
// barriers of the coordination service (log-formats.md 8, cases.md F13-F16, formats.md 8.1).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/parser.h"

namespace tfpm {

// Columns of schema `collective_member`; absent = not said.
struct CollectiveMember {
  std::optional<std::string> comm, comm_id;
  std::int64_t rank = 0;
  std::int64_t nranks = 0;
  std::optional<std::int64_t> device;
  bool complete = false;
};
// "NCCL INFO ncclCommInitRank comm 0x55 rank 4 nranks 8 cudaDev 0 ... commId 0x9a - Init START".
std::optional<CollectiveMember> parse_collective_member(std::string_view message);

// Columns of schema `collective_call`.
struct CollectiveCall {
  std::string comm, op;
  std::int64_t op_count = 0;
  std::optional<std::int64_t> elements, datatype, nranks;
};
// "NCCL INFO AllReduce: opCount 2f1 ... count 25557032 datatype 7 op 0 root 0 comm 0x55
// [nranks=8]".
std::optional<CollectiveCall> parse_collective_call(std::string_view message);

// Columns of schema `collective_wait`.
struct CollectiveWait {
  std::string_view dialect;
  std::optional<std::string> name;
  std::vector<std::string> missing, ready;  // empty = not said
  std::optional<std::int64_t> reached, expected;
};
// Horovod's report or a barrier's time-out, with its continuation lines; nullopt for other texts.
std::optional<CollectiveWait> parse_collective_wait(std::string_view text);

// Fed with the records of one stream in order; keeps the last call of each communicator and bounds
// the rows of the rest.
class CollectiveReader {
 public:
  static constexpr std::size_t kMaxRows = 2000;  // of a stream and table
  static constexpr std::size_t kMaxComms = 1000;

  CollectiveReader(std::optional<RowRef> stream, Sink& sink) : stream_(stream), sink_(&sink) {}
  // A message of NCCL, header removed.
  void add_nccl(std::string_view message, std::uint64_t line, std::uint64_t byte_offset);
  // Any other record that a signature's literal lies in.
  void add_text(std::string_view text, std::uint64_t line, std::uint64_t byte_offset);
  void finish();
  // Cheap, and the same for texts that differ in digits only: false when add_nccl(), add_text()
  // would find nothing in it.
  static bool may_be_nccl(std::string_view message);
  static bool may_be_wait(std::string_view text);

 private:
  struct Place {
    std::uint64_t line = 0;
    std::uint64_t byte_offset = 0;
  };
  std::vector<Field> fields(const Place& place) const;

  std::optional<RowRef> stream_;
  Sink* sink_;
  std::map<std::string, std::pair<CollectiveCall, Place>> last_;  // by communicator
  std::size_t members_ = 0;
  std::size_t waits_ = 0;
};

}  // namespace tfpm
