// What a native crash text says (log-formats.md sections 7.2, 7.4, 7.5). Pure functions on a
// record's text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ingest/traceback.h"

namespace tfpm {

struct CrashInfo {
  // 'segfault', 'abort', 'bus-error', 'fpe', 'illegal-instruction', 'trap', 'killed',
  // 'terminated', 'check-failed', 'interpreter'; empty = the text reports no crash
  std::string crash;
  std::string reason;                  // the line that says why, as printed, cut at 1000 bytes
  std::optional<std::int64_t> signal;  // POSIX number; absent = not told
  std::optional<std::int64_t> time_s;  // of absl's and glog's handler, seconds since the epoch
  // Of the current thread (the one that crashed): innermost frame of the program, and innermost of
  // all. Absent = no Python frames or no dump.
  std::optional<StackFrame> frame;
  std::optional<StackFrame> innermost;
};

// `record` is the text of a crash record, or the message of a log record of severity fatal.
// `terminated` (SIGTERM) is not a crash of its own: somebody told the process to stop.
CrashInfo parse_crash(std::string_view record);

}  // namespace tfpm
