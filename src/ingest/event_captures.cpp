#include "ingest/event_captures.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "ingest/crash.h"
#include "ingest/status_text.h"
#include "ingest/task_name.h"
#include "ingest/traceback.h"

namespace tfpm {
namespace {

constexpr std::size_t kCaptureBytes = 2000;
// Of a chain of calls; one that is longer goes in circles.
constexpr std::size_t kMaxHops = 16;

std::string_view flag(bool value) {
  return value ? "1" : "0";
}

void add_frame(const std::optional<StackFrame>& frame, Event& event) {
  if (!frame) return;
  add_capture(event, "file", frame->file);
  add_capture(event, "line", std::to_string(frame->line));
  add_capture(event, "function", frame->function);
}

void add_status(const StatusInfo& status, Event& event) {
  add_capture(event, "inner_status", status.inner_status);
  add_capture(event, "inner_text", status.inner_text);
  add_capture(event, "communication", flag(status.communication));
  if (status.hops.empty()) return;
  const RemoteHop& first = status.hops.front();
  add_capture(event, "hop_job", first.target.job);
  add_capture(event, "hop_task", std::to_string(first.target.task));
  add_capture(event, "hop_method", first.method);
  event.hops = status.hops;
  if (event.hops.size() > kMaxHops) event.hops.resize(kMaxHops);
}

}  // namespace

void add_capture(Event& event, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  const bool known = std::any_of(event.captures.begin(), event.captures.end(),
                                 [&](const auto& have) { return have.first == name; });
  if (!known) event.captures.emplace_back(name, clean_utf8(value, kCaptureBytes));
}

std::size_t add_traceback_captures(std::string_view text, Event& event) {
  const TracebackInfo info = parse_traceback(text);
  add_capture(event, "exception", info.exception);
  add_capture(event, "exception_path", info.exception_path);
  add_capture(event, "message", info.message);
  add_frame(info.frame ? info.frame : info.innermost, event);
  add_capture(event, "original_exception", info.original_path);
  add_capture(event, "original_message", info.original_message);
  add_capture(event, "fatal", flag(info.fatal));
  if (info.has_status) {
    add_status(info.status, event);
    if (!info.status.hops.empty()) {
      const RemoteHop& first = info.status.hops.front();
      add_capture(event, "peer_job", first.target.job);
      add_capture(event, "peer", std::to_string(first.target.task));
      add_capture(event, "method", first.method);
    }
  }
  add_capture(event, "communication", "0");  // unless the status said so above
  if (info.exception_path.empty()) return 0;
  const std::size_t at = text.rfind("\n" + info.exception_path);
  return at == std::string_view::npos ? 0 : at + 1;
}

void add_crash_captures(std::string_view text, Event& event) {
  const CrashInfo info = parse_crash(text);
  if (info.crash.empty() || info.crash == "terminated" || info.crash == "killed") {
    event.kind = EventKind::kError;
  }
  add_capture(event, "crash", info.crash);
  add_capture(event, "reason", info.reason);
  if (info.signal) add_capture(event, "signal", std::to_string(*info.signal));
  add_frame(info.frame ? info.frame : info.innermost, event);
}

void add_status_captures(std::string_view text, Event& event) {
  const StatusInfo status = parse_status(text);
  if (!status.outer_status.empty() || !status.hops.empty()) add_status(status, event);
}

void add_listed_tasks(std::string_view text, Event& event) {
  std::string names;
  for (const TaskName& task : list_tasks(text)) {
    if (!names.empty()) names += ',';
    names += to_string(task);
  }
  add_capture(event, "tasks", names);
}

}  // namespace tfpm
