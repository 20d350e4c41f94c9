// Thread dumps printed into a log (a faulthandler watchdog, gdb, py-spy): kept as text until the
// stream's owner is known, then read like dumps in files of their own.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "ingest/record.h"
#include "parsers/parser.h"

namespace tfpm {

class StackKeeper {
 public:
  // Dumps kept of one stream: the first ones, to see a hang begin, and the last ones, which two
  // identical make a hang proven. A watchdog repeats itself for hours.
  static constexpr std::size_t kFirst = 2;
  static constexpr std::size_t kLast = 4;
  static constexpr std::size_t kMaxText = std::size_t{256} << 10;  // of one dump

  // `record` is of kind kStacks.
  void add(const Record& record);
  // Adds stack and stack_thread rows.
  void emit(const std::optional<std::string>& owner, Sink& sink) const;

 private:
  struct Dump {
    std::string text;
    RecordPlace place;
    std::vector<Record::Mark> marks;
  };
  static void emit_dump(const Dump& dump, const std::optional<std::string>& owner, Sink& sink);

  std::vector<Dump> first_;
  std::deque<Dump> last_;
};

}  // namespace tfpm
