#include "parsers/detail/stack_reader.h"

#include <algorithm>
#include <utility>

#include "parsers/detail/stack_class.h"
#include "parsers/detail/stack_frames.h"
#include "parsers/detail/text.h"

namespace tfpm {
namespace {

constexpr std::size_t kStoredFrames = 4000;
constexpr std::string_view kCallFirst = "(most recent call first):";

// "Process 4242: python3 /app/train.py" (py-spy) gives the pid.
std::optional<std::int64_t> process_header(std::string_view line) {
  if (!eat(line, "Process ")) return std::nullopt;
  const auto pid = parse_int(eat_digits(line));
  return line.starts_with(":") ? pid : std::nullopt;
}

bool is_faulthandler_start(std::string_view line) {
  return line.starts_with("Fatal Python error: ") ||
         (line.starts_with("Timeout (") && line.ends_with(")!"));
}

std::string joined_frames(const std::vector<DumpFrame>& frames) {
  std::string out;
  for (const DumpFrame& frame : frames) {
    if (out.size() > kStoredFrames) break;
    out += frame.text();
    out += '\n';
  }
  if (!out.empty()) out.pop_back();
  return clean_utf8(out, kStoredFrames);
}

// Tools that do not name the main thread: it is the one whose outermost call is the program.
void find_main(std::vector<DumpThread>& threads, const std::optional<std::int64_t>& pid) {
  const auto named = [](const DumpThread& t) { return t.is_main; };
  if (std::any_of(threads.begin(), threads.end(), named)) return;
  for (DumpThread& thread : threads) {
    const bool own_id = pid && thread.id == std::to_string(*pid);
    const bool module = !thread.frames.empty() && thread.frames.back().function == "<module>";
    thread.is_main = own_id || module;
    if (thread.is_main) return;
  }
}

}  // namespace

bool StackReader::start_thread(std::string_view tool, DumpThread thread) {
  const auto same = [&](const DumpThread& t) { return t.id == thread.id; };
  const bool repeats = dump_ && !thread.id.empty() &&
                       std::any_of(dump_->threads.begin(), dump_->threads.end(), same);
  if (!dump_ || dump_->tool != tool || repeats) start(tool, thread.line, thread.byte_offset);
  failing_ = false;
  backtrace_ = false;
  if (dump_->threads.size() < kMaxThreads) dump_->threads.push_back(std::move(thread));
  return true;
}

void StackReader::start(std::string_view tool, std::uint64_t number, std::uint64_t byte_offset) {
  finish();
  dump_.emplace();
  dump_->tool = tool;
  dump_->line = number;
  dump_->byte_offset = byte_offset;
}

bool StackReader::add_header(std::string_view line, std::uint64_t number,
                             std::uint64_t byte_offset) {
  if (const auto pid = process_header(line)) {
    start("py-spy", number, byte_offset);
    dump_->pid = pid;
    return true;
  }
  if (is_faulthandler_start(line)) {
    start("faulthandler", number, byte_offset);
    return true;
  }
  std::string_view tool;
  std::optional<DumpThread> thread = parse_thread_header(line, tool);
  if (!thread) return false;
  thread->line = number;
  thread->byte_offset = byte_offset;
  return start_thread(tool, std::move(*thread));
}

bool StackReader::add_frame(std::string_view line, std::uint64_t number) {
  std::optional<DumpFrame> frame;
  if (dump_->tool == "py-spy") frame = parse_py_spy_frame(line);
  if (dump_->tool == "faulthandler") frame = parse_faulthandler_frame(line);
  if (dump_->tool == "gdb") frame = parse_gdb_frame(line);
  if (!frame) return false;
  // A bare address names nothing: "0x7fff5bceba60 (?)".
  if (frame->function.starts_with("0x") || frame->function == "??") return true;
  std::vector<DumpFrame>& frames = dump_->threads.back().frames;
  frame->line = number;
  if (frames.size() < kMaxFrames) frames.push_back(std::move(*frame));
  return true;
}

// "Error: Failed to get stack traces", then "Caused by:" and numbered reasons.
bool StackReader::add_failure(std::string_view line) {
  std::string_view rest = line;
  if (eat(rest, "Error: ")) {
    failing_ = true;
    dump_->failed = std::string(trim(rest));
    return true;
  }
  if (!failing_) return false;
  if (line.starts_with("Caused by:")) return true;
  if (line.starts_with("Stack backtrace:") || line.starts_with("Backtrace")) {
    backtrace_ = true;
    return true;
  }
  rest = trim(line);
  if (rest.empty() || backtrace_) return true;
  if (eat_digits(rest).empty() || !eat(rest, ": ")) return false;
  if (dump_->failed.size() < kStoredFrames) dump_->failed.append(": ").append(rest);
  return true;
}

bool StackReader::add(std::string_view raw, std::uint64_t number, std::uint64_t byte_offset) {
  const std::string plain = contains(raw, "\x1b[") ? strip_ansi(raw) : std::string();
  const std::string_view line = plain.empty() ? raw : std::string_view(plain);
  if (add_header(line, number, byte_offset)) return true;
  if (!dump_) return false;
  if (!dump_->threads.empty() && add_frame(line, number)) return true;
  return dump_->threads.empty() && add_failure(line);
}

void StackReader::finish() {
  if (!dump_) return;
  find_main(dump_->threads, dump_->pid);
  if (!dump_->threads.empty() || !dump_->failed.empty()) emit(*dump_);
  dump_.reset();
  failing_ = false;
  backtrace_ = false;
}

void StackReader::emit(const StackDump& dump) {
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? null_value() : text_value(clean_utf8(text, kStoredFrames));
  };
  const RowRef stack = sink_.add("stack", {{"line", int_value(dump.line)},
                                           {"byte_offset", int_value(dump.byte_offset)},
                                           {"owner", optional_value(owner_)},
                                           {"tool", text_value(dump.tool)},
                                           {"pid", optional_value(dump.pid)},
                                           {"failed", text_or_null(dump.failed)}});
  for (const DumpThread& thread : dump.threads) {
    const ThreadClass found = classify_thread(thread);
    const DumpFrame* frame = found.frame ? &thread.frames[*found.frame] : nullptr;
    sink_.add("stack_thread",
              {{"stack_id", stack},
               {"line", int_value(thread.line)},
               {"byte_offset", int_value(thread.byte_offset)},
               {"thread", text_or_null(thread.id)},
               {"name", text_or_null(thread.name)},
               {"state", text_or_null(thread.state)},
               {"is_main", int_value(thread.is_main ? 1 : 0)},
               {"class", text_value(found.name)},
               {"frame", frame == nullptr ? null_value() : text_or_null(frame->text())},
               {"frame_line", frame == nullptr ? null_value() : int_value(frame->line)},
               {"frames", text_value(joined_frames(thread.frames))}});
  }
}

std::optional<DumpThread> parse_thread_header(std::string_view line, std::string_view& tool) {
  std::string_view rest = line;
  DumpThread thread;
  if (eat(rest, "Current thread ") || eat(rest, "Thread ")) {
    if (rest.ends_with(kCallFirst)) {
      tool = "faulthandler";
      thread.id = std::string(eat_token(rest));
      if (const auto name = between(rest, "[", "]")) thread.name = std::string(*name);
      return thread;
    }
    thread.id = std::string(eat_token(rest));
    if (!thread.id.empty() && thread.id.back() == ':') return std::nullopt;
    rest = trim(rest);
    if (const auto lwp = between(rest, "(LWP ", ")")) {
      tool = "gdb";
      thread.is_main = thread.id == "1";
      thread.id = std::string(*lwp);
      if (const auto name = between(rest, "\"", "\"")) thread.name = std::string(*name);
      return rest.ends_with(":") ? std::optional(thread) : std::nullopt;
    }
    const auto state = between(rest, "(", ")");
    if (!state || !rest.starts_with("(")) return std::nullopt;
    rest.remove_prefix(state->size() + 2);
    const bool colon = rest.empty() || rest.starts_with(":");
    if (!colon || contains(*state, " ")) return std::nullopt;
    tool = "py-spy";
    thread.state = std::string(*state);
    if (const auto name = between(rest, "\"", "\"")) thread.name = std::string(*name);
    thread.is_main = thread.name == "MainThread";
    return thread;
  }
  if (eat(rest, "TID ") && rest.ends_with(":")) {
    tool = "gdb";
    thread.id = std::string(rest.substr(0, rest.size() - 1));
    if (parse_int(thread.id)) return thread;
  }
  return std::nullopt;
}

}  // namespace tfpm
