// Turns stamps that lack a year or a date into microseconds since the epoch.
//
// One clock a source: what is missing is taken from the stamps before it in the same source
// (log-formats.md section 1.1). A stamp without a year gets the year that brings it closest to the
// one before; a jump back over most of a day is a roll-over. Before any complete stamp, times of
// day count from 1970-01-01 and dates stand in kUnknownYear: differences inside the source stay
// right, and alignment finds the year by the other sources.
//
// A process that stamps some lines in local time and others since the epoch (Python's logging
// beside C++) shows its zone: once three changes between the two agree on it, local stamps are
// turned into UTC, so that one source has one clock (algorithms.md section 2.1).
#pragma once

#include <cstdint>
#include <optional>

#include "base/unknown_year.h"
#include "ingest/lines.h"

namespace tfpm {

class LogClock {
 public:
  // `one_process`: all stamps come from one clock, so that local and UTC ones tell the zone.
  explicit LogClock(bool one_process = true) : one_process_(one_process) {}
  // Microseconds since the epoch as written, less the zone when it is known; nullopt for a stamp
  // without content.
  std::optional<std::int64_t> resolve(const Stamp& stamp);
  // Local time minus UTC; 0 until it is known.
  std::int64_t zone_us() const { return zone_us_; }

 private:
  std::optional<std::int64_t> complete(const Stamp& stamp);
  std::int64_t with_year(const Stamp& stamp);
  void compare(std::int64_t us, bool local);
  void observe(std::int64_t difference_us);

  bool one_process_;
  std::int64_t day_start_us_ = 0;   // midnight of the last dated stamp
  int year_ = 0;                    // of the last stamp with a date; 0 = there was none
  std::int64_t last_dated_us_ = 0;  // that stamp
  std::int64_t last_time_only_us_ = 0;
  std::int64_t last_us_ = 0;  // last stamp, as written
  enum class Last { kNone, kLocal, kUtc } last_ = Last::kNone;
  std::int64_t quarters_ = 0;  // the zone that the last changes agreed on
  int agreed_ = 0;             // how many of them
  std::int64_t zone_us_ = 0;
};

}  // namespace tfpm
