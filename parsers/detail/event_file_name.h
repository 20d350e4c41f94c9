// What the name of an event file says: events.out.tfevents.SECONDS.HOST[.PID.COUNTER][.v2]
// (formats.md 4.2).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tfpm {

struct EventFileName {
  std::optional<std::int64_t> started_us;  // microseconds since the epoch, by the writer's clock
  std::string host;                        // empty = not said
  std::optional<std::int64_t> pid;
  bool profiler_marker = false;  // ".profile-empty": made by the profiler, holds no values
};

// `path` as in the bundle; a name of another form gives nothing.
EventFileName parse_event_file_name(std::string_view path);

}  // namespace tfpm
