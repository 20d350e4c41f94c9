// One line of a log as signatures see it: envelope and header removed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "ingest/lines.h"

namespace tfpm::cli {

struct LogLine {
  std::uint64_t number = 0;  // from 1
  std::string_view message;  // of the line, valid during the visit
  LogSeverity severity = LogSeverity::kNone;
};

// Reads a log file, compressed or not, line by line; `visit` returns false to stop. A line of more
// than 1 MiB comes in pieces of one number.
Status read_log_lines(const std::string& path, const std::function<bool(const LogLine&)>& visit);

}  // namespace tfpm::cli
