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

// 'worker-2,worker-1' from the bare task names that follow a list's head line (log-formats.md
// section 2.4); empty = none.
std::string listed_tasks(std::string_view record_text);

}  // namespace tfpm
