// Turns stamps that lack a year or a date into microseconds since the epoch.
//
// One clock a source: what is missing is taken from the last complete stamp of the same source, and
// a jump back over most of a year or a day is a roll-over (log-formats.md section 1.1). Before any
// complete stamp, times count from 1970-01-01: differences inside the source stay right.
#pragma once

#include <cstdint>
#include <optional>

#include "ingest/lines.h"

namespace tfpm {

class LogClock {
 public:
  // Microseconds since the epoch as written; nullopt for a stamp without content.
  std::optional<std::int64_t> resolve(const Stamp& stamp);

 private:
  std::int64_t day_start_us_ = 0;   // midnight of the last dated stamp
  std::int64_t year_start_us_ = 0;  // 1 January of the last stamp with a year
  std::int64_t last_no_year_us_ = 0;
  std::int64_t last_time_only_us_ = 0;
};

}  // namespace tfpm
