// Turns a record that is kept into an event: text, place, captures.
#pragma once

#include <cstdint>
#include <optional>

#include "ingest/context_lines.h"
#include "ingest/event.h"

namespace tfpm {

struct LogShared;

// `signature` is set for EventKind::kSignature. Asks for the context lines of the event.
Event make_event(LogShared& shared, EventKind kind, std::optional<std::uint32_t> signature,
                 const RecordRef& record);

// Lines of the source that show the event, as kept in context_line.
LineRange cited_lines(const Event& event);

}  // namespace tfpm
