// Turns a record that is kept into an event: text, place, captures.
#pragma once

#include <cstdint>
#include <optional>

#include "ingest/event.h"
#include "ingest/matcher.h"

namespace tfpm {

// `signature` is set for EventKind::kSignature.
Event make_event(const Matcher& matcher, EventKind kind, std::optional<std::uint32_t> signature,
                 const RecordRef& record);

}  // namespace tfpm
