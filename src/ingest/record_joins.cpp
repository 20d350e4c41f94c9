// Which lines continue the open record (log-formats.md sections 2.4 and 7). Evidence decides: a
// wrong join hides a step line, a wrong cut only splits a text.
#include "ingest/record.h"

namespace tfpm {
namespace {

// Lines joined although nothing is known of them; a training loop that prints in an unknown way
// must not vanish behind an error.
constexpr std::size_t kMaxUnknownLines = 8;

// A text proto or a dict may be long, a bracket that is never closed must not eat the log.
constexpr std::size_t kMaxBracketLines = 200;
// The end of a TensorFlow status: nothing more of it follows.
bool closes_status(std::string_view line) {
  while (line.ends_with(' ')) line.remove_suffix(1);
  if (line.ends_with("']") || line.ends_with("] name:")) return true;
  return line.ends_with(']') && line.find("[Op:") != std::string_view::npos;
}

// TensorFlow's own texts, in C++ or through its Python loggers.
bool is_tensorflow(const LineHeader& header) {
  return header.cpp_file || header.file == "tensorflow" || header.file == "absl";
}

}  // namespace

bool RecordAssembler::continues(LineStart start, std::string_view line) {
  if (open().lines >= kMaxRecordLines || open().text.size() + line.size() > kMaxRecordBytes) {
    return false;
  }
  switch (mode_) {
    case Mode::kHeader:
      return continues_header(start, line);
    case Mode::kFrames:
    case Mode::kChained:
      return continues_frames(start, line);
    case Mode::kMessage:
      return continues_message(start, line);
    case Mode::kFaulthandler:
    case Mode::kAbort:
    case Mode::kSignal:
    case Mode::kStacks:
      return continues_crash(start, line);
    case Mode::kNone:
    case Mode::kPlain:
      return false;
  }
  return false;
}

std::string_view RecordAssembler::last_line() const {
  return open().lines == 1 ? open().text : std::string_view(last_line_);
}

// The last line so far leaves something open.
bool RecordAssembler::is_open_sentence() {
  if (ends_open(last_line())) return true;
  if (!is_tensorflow(open().header) || open().lines > kMaxBracketLines) return false;
  if (open().lines == 1) balance_ = bracket_balance(open().text);
  return balance_ > 0;
}

// Weak grounds: words without a number cannot be a step that would be lost.
bool RecordAssembler::continues_unknown(std::string_view line) {
  if (blanks_ > 0 || unknown_ >= kMaxUnknownLines || has_digit(line)) return false;
  ++unknown_;
  return true;
}

bool RecordAssembler::continues_header(LineStart start, std::string_view line) {
  // The rest of a traceback that this record cut in two is none of its lines.
  const bool resumes = interrupted_ > 0 && open().lines == 1 && !is_open_sentence();
  switch (start) {
    case LineStart::kIndented:
    case LineStart::kFrame:
      return !resumes;
    case LineStart::kTraceback:  // perhaps of a Python op, inside a status text
      if (!open().header.cpp_file || !ends_with_python_exception(last_line())) return false;
      held_.emplace();
      return true;
    case LineStart::kPlain:
      if (resumes && is_exception_line(line)) return false;
      if (continues_tf_text(line)) return true;
      if (closes_status(last_line())) return false;
      if (is_open_sentence()) return true;
      if (open().lines > 1 && is_tensorflow(open().header) && is_text_proto(last_line()) &&
          is_text_proto(line)) {
        return true;
      }
      return open().header.severity >= LogSeverity::kWarning && is_tensorflow(open().header) &&
             continues_unknown(line);
    default:
      return false;
  }
}

bool RecordAssembler::continues_frames(LineStart start, std::string_view line) {
  switch (start) {
    case LineStart::kTraceback:
    case LineStart::kIndented:
    case LineStart::kFrame:
      mode_ = Mode::kFrames;
      return true;
    case LineStart::kPlain:
    case LineStart::kProgress: {
      if (line[0] == ' ') return true;  // a source line such as `    1/0`
      if (mode_ == Mode::kChained || last_line_.starts_with(kGroupEnd)) return false;
      if (line == "<stack traces unavailable>") return true;
      const bool intro = open().lines == 1 && !open().text.starts_with("Traceback");
      if (intro && !is_exception_line(line)) return false;
      if (start == LineStart::kProgress && exception_path_length(line) == 0) return false;
      mode_ = Mode::kMessage;
      tf_error_ = line.starts_with("tensorflow.");
      unknown_ = 0;
      return true;
    }
    default:
      return false;
  }
}

bool RecordAssembler::continues_message(LineStart start, std::string_view line) {
  if (line == "\"\"\"") quoted_ = !quoted_;
  if (quoted_ || line == "\"\"\"") return true;
  switch (start) {
    case LineStart::kChain:
      mode_ = Mode::kChained;
      return true;
    case LineStart::kTraceback:  // perhaps of a Python op, inside TensorFlow's message
      if (!tf_error_ || !ends_with_python_exception(last_line())) return false;
      held_.emplace();
      return true;
    case LineStart::kIndented:
    case LineStart::kFrame:
      return blanks_ == 0 || tf_error_ || is_open_sentence();
    case LineStart::kPlain:
      if (continues_tf_text(line)) return true;
      if (closes_status(last_line())) return false;
      if (is_open_sentence()) return true;
      return tf_error_ ? ++unknown_ <= kMaxUnknownLines : continues_unknown(line);
    default:
      return false;
  }
}

bool RecordAssembler::continues_crash(LineStart start, std::string_view line) {
  switch (start) {
    case LineStart::kIndented:
    case LineStart::kFrame:
    case LineStart::kShellEnd:
      return true;
    case LineStart::kThread:
      return mode_ == Mode::kFaulthandler;
    case LineStart::kFatalPython:
      if (mode_ != Mode::kAbort) return false;
      mode_ = Mode::kFaulthandler;
      return true;
    case LineStart::kSignal:
      if (mode_ != Mode::kAbort && mode_ != Mode::kSignal) return false;
      mode_ = Mode::kSignal;
      return true;
    case LineStart::kStack:
      return mode_ == Mode::kStacks;
    case LineStart::kPlain:
      if (line.starts_with("Extension modules: ") || line.starts_with("Python runtime state: ")) {
        return mode_ == Mode::kFaulthandler;
      }
      if (line.starts_with("PC: @") || line.starts_with("@ ") || line.starts_with("*** ")) {
        return mode_ == Mode::kSignal;
      }
      if (line.starts_with("[New ") || line.starts_with("[Switching ")) {
        return mode_ == Mode::kStacks;
      }
      return mode_ == Mode::kAbort && line.starts_with("======= ");
    default:
      return false;
  }
}

}  // namespace tfpm
