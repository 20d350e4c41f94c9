// Records of a log that was exported in a frame of its own (a JSON array, journald's blocks, a
// table), on their way to the log reader: as lines of JSON, oldest first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/parser.h"

namespace tfpm {

// Rows of this name, of one column `line`, are no table of the store: whoever reads the member
// hands them to the log reader as the lines of a log.
inline constexpr std::string_view kLogLineTable = "log_line";

// What an export says of one record; empty = it does not say.
struct ExportedRecord {
  std::string_view text;  // as the program wrote it; may hold line ends
  std::optional<std::int64_t> time_us;
  bool zoned = true;  // time_us is UTC, not somebody's local time
  std::string_view pod, container, host;
};

// Exports from a search are newest first. Which way this one runs is judged by its first records; a
// log the other way round is turned, as far as kMaxHeld reaches. Lines and offsets that rows of the
// log name are then those of the lines made here.
class LogExport {
 public:
  static constexpr std::size_t kMaxHeld = std::size_t{24} << 20;

  explicit LogExport(Sink& sink) : sink_(sink) {}
  void add(const ExportedRecord& record);
  // Call once, at the end; reports what the order cost.
  void finish();

 private:
  enum class Order { kUnknown, kOldestFirst, kNewestFirst };

  void note_time(std::int64_t time_us);
  void give(std::string_view line);
  void hold(std::string_view line);
  void give_held();

  Sink& sink_;
  Order order_ = Order::kUnknown;
  std::optional<std::int64_t> last_us_;
  std::size_t rising_ = 0, falling_ = 0;  // neighbours in time
  std::string held_;                      // lines, one behind the other
  std::vector<std::size_t> ends_;         // of the lines in held_
  std::uint64_t given_ = 0, dropped_ = 0;
  std::string line_;  // work space
};

}  // namespace tfpm
