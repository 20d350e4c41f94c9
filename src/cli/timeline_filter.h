// Which rows of the timeline a person wants to see.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "store/database.h"

namespace tfpm::cli {

struct TimelineFilter {
  std::vector<std::string> workers;        // any of them; empty = all
  std::optional<std::string> step;         // 'LO..HI', either end may be missing; 'N' = N..N
  std::optional<std::int64_t> generation;  // job incarnation
  std::optional<std::string> severity;     // at least this one
  std::vector<std::string> kinds;          // any of them; empty = all
  std::optional<std::string> match;        // part of the text, whatever the case of ASCII letters
  std::optional<std::int64_t> limit;       // rows at most
};

// Names that --severity and --kind take, least severe first.
inline constexpr const char* kSeverities[] = {"none", "info", "warning", "error", "fatal"};
inline constexpr const char* kTimelineKinds[] = {"marker", "signature", "traceback",
                                                 "crash",  "error",     "exit"};

// A statement that gives the chosen rows of the view `timeline`: generation, step_lo, step_hi,
// phase, worker, kind, severity, time_raw_us, time_ref_us, time_err_us, source, line, text,
// signatures, concurrent. Fails on a step that is none and on a task that is not there.
Result<Statement> select_timeline(Database& db, const TimelineFilter& filter);

}  // namespace tfpm::cli
