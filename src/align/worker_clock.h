// A task's clock against the common one (algorithms.md section 2).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tfpm {

// What the clock did between two moments at which it was set.
struct ClockSpan {
  std::optional<std::int64_t> from_us;  // own clock, where the span begins; absent = the first
  int from_stream = -1;                 // index into Model::streams, and there ...
  std::int64_t from_seq = 0;            // ... the first record of the span
  std::int64_t centre_us = 0;           // own clock
  double offset_us = 0;                 // own clock minus reference, at centre_us
  double drift = 0;                     // gain per microsecond
  std::string kind = "start";           // clock_span.kind
  double jump_us = 0;                   // how far the clock was set forward at from_us
};

struct WorkerClock {
  std::vector<ClockSpan> spans;  // ascending; empty = not alignable
  std::optional<double> offset_us, error_us;
  std::string quality;  // 'A' to 'D'; empty = no log
  std::string rung;     // worker.clock_rung
  std::optional<std::int64_t> zone_s;
  std::optional<double> low_us, high_us;
  std::int64_t points = 0;
  double early_share = 0;
  int worst = -1;  // index into Model::workers

  // On the common clock; nullopt when not alignable. `stream` and `seq` say where the stamp stands:
  // a clock that was set back shows some times twice.
  std::optional<std::int64_t> reference(std::int64_t own_us, int stream, std::int64_t seq) const;
};

}  // namespace tfpm
