#include "ingest/crash.h"

#include <array>

#include "ingest/bytes.h"
#include "ingest/line_start.h"
#include "ingest/text_lines.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxReason = 1000;

struct Signal {
  std::int64_t number = 0;
  std::string_view name;   // SIGSEGV
  std::string_view words;  // strsignal() text, as shells and faulthandler print it
  std::string_view crash;
};

constexpr std::array<Signal, 10> kSignals = {
    {{11, "SIGSEGV", "Segmentation fault", "segfault"},
     {6, "SIGABRT", "Aborted", "abort"},
     {7, "SIGBUS", "Bus error", "bus-error"},
     {8, "SIGFPE", "Floating point exception", "fpe"},
     {4, "SIGILL", "Illegal instruction", "illegal-instruction"},
     {5, "SIGTRAP", "Trace/breakpoint trap", "trap"},
     {9, "SIGKILL", "Killed", "killed"},
     {15, "SIGTERM", "Terminated", "terminated"},
     {1, "SIGHUP", "Hangup", "terminated"},
     {2, "SIGINT", "Interrupt", "terminated"}}};

const Signal* signal_by_name(std::string_view text) {
  for (const Signal& signal : kSignals) {
    if (text.starts_with(signal.name)) return &signal;
  }
  return nullptr;
}

const Signal* signal_in_words(std::string_view line) {
  for (const Signal& signal : kSignals) {
    if (line.find(signal.words) != std::string_view::npos) return &signal;
  }
  return nullptr;
}

const Signal* signal_by_number(std::int64_t number) {
  for (const Signal& signal : kSignals) {
    if (signal.number == number) return &signal;
  }
  return nullptr;
}

void set(const Signal& signal, std::string_view reason, CrashInfo& out) {
  if (out.crash.empty()) out.reason = reason.substr(0, kMaxReason);
  out.crash = signal.crash;
  out.signal = signal.number;
}

void set_abort(std::string_view crash, std::string_view reason, CrashInfo& out) {
  if (!out.crash.empty()) return;
  out.crash = crash;
  out.reason = reason.substr(0, kMaxReason);
  out.signal = 6;
}

std::optional<std::int64_t> number_behind(std::string_view line, std::string_view key) {
  const std::size_t pos = line.find(key);
  if (pos == std::string_view::npos) return std::nullopt;
  const std::string_view rest = line.substr(pos + key.size());
  return to_int(rest.substr(0, count_digits(rest)));
}

// `*** SIGABRT received at time=1772719542 on cpu 12 ***`, `*** Received signal 11 ***`,
// `*** SIGSEGV (@0x0) received by PID ...`, `*** Aborted at 1772719542 (unix time) ...`.
void read_signal_line(std::string_view line, CrashInfo& out) {
  if (!out.time_s) out.time_s = number_behind(line, " at time=");
  if (!out.time_s) out.time_s = number_behind(line, "*** Aborted at ");
  if (const Signal* named = signal_by_name(line.substr(4))) {
    set(*named, line, out);
    return;
  }
  std::optional<std::int64_t> number = number_behind(line, "*** Received signal ");
  if (!number) number = number_behind(line, "*** Signal ");
  if (!number) return;
  if (const Signal* known = signal_by_number(*number)) {
    set(*known, line, out);
  } else if (out.crash.empty()) {
    out.crash = "terminated";
    out.reason = line.substr(0, kMaxReason);
    out.signal = number;
  }
}

void read_fatal_python(std::string_view line, CrashInfo& out) {
  if (const Signal* signal = signal_in_words(line)) {
    set(*signal, line, out);
  } else {
    set_abort("interpreter", line, out);
  }
}

// Both frames of the thread that is being read.
void read_frame(std::string_view line, CrashInfo& out) {
  std::optional<StackFrame> frame = parse_frame_line(line);
  if (!frame) return;
  if (!out.frame && is_program_file(frame->file)) out.frame = frame;
  if (!out.innermost) out.innermost = std::move(frame);
}

void read_line(std::string_view line, LineStart start, CrashInfo& out) {
  switch (start) {
    case LineStart::kFatalPython:
      read_fatal_python(line, out);
      break;
    case LineStart::kSignal:
      read_signal_line(line, out);
      break;
    case LineStart::kAbort:
      set_abort("abort", line, out);
      break;
    case LineStart::kStack:
    case LineStart::kShellEnd:
      if (const Signal* signal = signal_in_words(line)) set(*signal, line, out);
      break;
    case LineStart::kIndented:
      if (line.starts_with("  what():") && out.crash == "abort") {
        out.reason.append("; ").append(line.substr(2, kMaxReason));
      }
      break;
    default:
      if (line.starts_with("*** SIG")) read_signal_line(line, out);
      if (line.starts_with("Check failed: ") || line.starts_with("Non-OK-status: ")) {
        set_abort("check-failed", line, out);
      }
      break;
  }
}

}  // namespace

CrashInfo parse_crash(std::string_view record) {
  CrashInfo out;
  bool current = false;  // inside the block of the thread that crashed
  std::string_view line;
  while (next_line(record, line)) {
    const LineStart start = classify_line(line);
    if (start == LineStart::kThread) current = line.starts_with("Current thread");
    if (current && start == LineStart::kFrame) read_frame(line, out);
    read_line(line, start, out);
  }
  if (out.crash.empty()) {
    out.frame.reset();
    out.innermost.reset();
  }
  return out;
}

}  // namespace tfpm
