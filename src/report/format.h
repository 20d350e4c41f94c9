// Numbers, times and names as people read them; the same on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/model.h"

namespace tfpm::report {

// "16", "15–16", "≥ 15", "≤ 7", "–" when unknown.
std::string format_step(const StepRange& step);
std::string format_int(const MaybeInt& value);  // "–" when unknown
// "2026-11-30T13:49:15.668000Z" and "13:49:15" of microseconds since the epoch.
std::string format_time_utc(std::int64_t us);
std::string format_clock(std::int64_t us);
// "1.5 GiB"
std::string format_bytes(std::int64_t bytes);
// Decibans without needless digits: "50 dB", "-2.5 dB".
std::string format_db(double db);
// "logs/worker-2.log:33", "x.index @ byte 120" or "x.index"; empty for an absence.
std::string format_place(const Evidence& evidence);
// Task names with runs folded: "worker-0, worker-4…63". At most `max_parts` parts, then "and N
// more".
std::string format_names(const std::vector<std::string>& names, std::size_t max_parts = 12);
std::string join(const std::vector<std::string>& parts, const std::string& separator);

}  // namespace tfpm::report
