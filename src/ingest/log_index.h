// What is counted over a whole source: block index and records per minute.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "ingest/lines.h"

namespace tfpm {

// One row of block_index.
struct BlockStart {
  std::uint64_t offset = 0;
  std::uint64_t line = 0;
  std::optional<std::int64_t> time_us;
};

class LogIndex {
 public:
  using SeverityCounts = std::array<std::uint64_t, 5>;  // by LogSeverity

  // A record begins here. `time_us` is its own stamp; without one it counts for the minute of the
  // last stamp.
  void add(std::uint64_t offset, std::uint64_t line, std::optional<std::int64_t> time_us,
           LogSeverity severity);
  const std::vector<BlockStart>& blocks() const { return blocks_; }
  // By minutes since the epoch; -1 = before the first stamp, or beyond the limit of minutes.
  const std::map<std::int64_t, SeverityCounts>& minutes() const { return minutes_; }

 private:
  SeverityCounts& counts_of(std::int64_t minute);

  std::vector<BlockStart> blocks_;
  std::uint64_t next_block_ = 0;
  std::map<std::int64_t, SeverityCounts> minutes_;
  SeverityCounts* current_ = nullptr;
  std::int64_t minute_ = 0;
  std::int64_t minute_begin_us_ = 0;
  std::optional<std::int64_t> last_us_;
};

}  // namespace tfpm
