// Assembles stack dumps from lines: py-spy text, faulthandler, gdb `thread apply all bt`, eu-stack.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/detail/stack_types.h"
#include "parsers/parser.h"

namespace tfpm {

// The dump being read.
struct StackDump {
  std::uint64_t line = 0;
  std::uint64_t byte_offset = 0;
  std::string_view tool;
  std::optional<std::int64_t> pid;
  std::string failed;
  std::vector<DumpThread> threads;
};

// Feed lines in order, then finish(). Rows (stack, stack_thread) go to the sink when a dump is
// complete. Keeps one dump in memory, each thread's frames bounded.
class StackReader {
 public:
  static constexpr std::size_t kMaxFrames = 2000;    // kept of one thread
  static constexpr std::size_t kMaxThreads = 20000;  // kept of one dump

  // `owner`: the task the source is named after.
  StackReader(std::optional<std::string> owner, Sink& sink)
      : owner_(std::move(owner)), sink_(sink) {}

  // True when the line belongs to a dump (a header, a frame, a failure).
  bool add(std::string_view line, std::uint64_t number, std::uint64_t byte_offset);
  void finish();

 private:
  void start(std::string_view tool, std::uint64_t number, std::uint64_t byte_offset);
  bool start_thread(std::string_view tool, DumpThread thread);
  bool add_header(std::string_view line, std::uint64_t number, std::uint64_t byte_offset);
  bool add_frame(std::string_view line, std::uint64_t number);
  bool add_failure(std::string_view line);
  void emit(const StackDump& dump);

  std::optional<std::string> owner_;
  Sink& sink_;
  std::optional<StackDump> dump_;
  bool failing_ = false;    // behind "Error:", collecting its causes
  bool backtrace_ = false;  // behind "Stack backtrace:" of a failure: not ours
};

// Thread headers of the three tools; nullopt for other lines. `tool` is set to 'py-spy',
// 'faulthandler' or 'gdb'.
std::optional<DumpThread> parse_thread_header(std::string_view line, std::string_view& tool);

}  // namespace tfpm
