// Named values of events that are no signature's own: what a traceback, a crash or a status says
// (schema/20_event.sql, event_capture).
#pragma once

#include <cstddef>
#include <string_view>

#include "ingest/event.h"

namespace tfpm {

// Adds a value unless it is empty or the name is taken.
void add_capture(Event& event, std::string_view name, std::string_view value);

// exception, exception_path, message, file, line, function, original_exception, fatal,
// communication, and those of add_status_captures(). Returns where in the text the final exception
// stands.
std::size_t add_traceback_captures(std::string_view text, Event& event);

// crash, signal, reason, file, line, function. A text that reports no crash of its own (SIGTERM,
// SIGKILL by somebody else, nothing at all) makes the event an error instead.
void add_crash_captures(std::string_view text, Event& event);

// inner_status, inner_text, communication, hop_job, hop_task, hop_method of a record that holds a
// TensorFlow status; nothing otherwise.
void add_status_captures(std::string_view text, Event& event);

// tasks: 'worker-2,worker-1' listed one a line behind the head of the record.
void add_listed_tasks(std::string_view text, Event& event);

}  // namespace tfpm
