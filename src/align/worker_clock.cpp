#include "align/worker_clock.h"

#include <cmath>

namespace tfpm {

std::optional<std::int64_t> WorkerClock::reference(std::int64_t own_us, int stream,
                                                   std::int64_t seq) const {
  if (spans.empty()) return std::nullopt;
  const ClockSpan* span = &spans.front();
  for (const ClockSpan& s : spans) {
    if (!s.from_us) continue;
    const bool behind = s.from_stream == stream ? seq >= s.from_seq : own_us >= *s.from_us;
    if (behind) span = &s;
  }
  const double since = static_cast<double>(own_us - span->centre_us);
  return own_us - std::llround(span->offset_us + span->drift * since);
}

}  // namespace tfpm
