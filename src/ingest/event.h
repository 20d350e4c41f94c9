// Events: records worth a row (schema/20_event.sql).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/record_ref.h"
#include "ingest/status_text.h"

namespace tfpm {

enum class EventKind : std::uint8_t { kSignature, kTraceback, kCrash, kError, kTail };
std::string_view to_string(EventKind kind);  // as in schema/20_event.sql

// One row of `event` with its captures.
struct Event {
  EventKind kind = EventKind::kTail;
  std::optional<std::uint32_t> signature;  // index into the loaded signatures
  RecordPlace cited;                       // line that shows it
  RecordPlace record;
  std::optional<std::int64_t> time_us;
  bool own_time = false;  // false: time_us is the last stamp before it
  LogSeverity severity = LogSeverity::kNone;
  std::string text;
  std::vector<std::pair<std::string, std::string>> captures;
  std::vector<RemoteHop> hops;  // remote calls that carried the error here, innermost first
};

}  // namespace tfpm
