#include "ingest/record.h"

#include <array>
#include <utility>

namespace tfpm {
namespace {

// Lines joined although nothing is known of them; a training loop that prints in an unknown way
// must not vanish behind an error.
constexpr std::size_t kMaxUnknownLines = 8;

// A text proto or a dict may be long, a bracket that is never closed must not eat the log.
constexpr std::size_t kMaxBracketLines = 200;
// Records of other threads that may stand between the pieces of a traceback.
constexpr std::size_t kInterruptedRecords = 8;
constexpr std::string_view kGroupEnd = "    +-------";  // last line of an exception group
constexpr std::string_view kTracebackLine = "Traceback (most recent call last):";

// A view into `from` as a view into its copy.
std::string_view rebase(std::string_view view, std::string_view from, const std::string& to) {
  if (view.empty()) return {};
  return std::string_view(to).substr(static_cast<std::size_t>(view.data() - from.data()),
                                     view.size());
}

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

RecordKind kind_of_crash(LineStart start) {
  switch (start) {
    case LineStart::kFatalPython:
    case LineStart::kAbort:
    case LineStart::kSignal:
    case LineStart::kShellEnd:
      return RecordKind::kCrash;
    default:
      return RecordKind::kStacks;
  }
}

}  // namespace

std::string_view to_string(RecordKind kind) {
  constexpr std::array<std::string_view, 5> kNames = {"plain", "log", "traceback", "crash",
                                                      "stacks"};
  return kNames[static_cast<std::size_t>(kind)];
}

RecordPlace Record::place_of(std::size_t pos) const {
  RecordPlace found = place;
  for (const Mark& mark : marks) {
    if (mark.begin > pos) break;
    found = mark.place;
  }
  return found;
}

const Record* RecordAssembler::push(const Fragment& fragment) {
  const bool headed = fragment.header.family != HeaderFamily::kNone;
  const LineStart start = headed ? LineStart::kPlain : classify_line(fragment.text);
  if (held_ && !resolve_held(start)) {
    const Record* before = complete();
    begin_held();
    append(fragment.text, {fragment.offset, fragment.line});
    return before;
  }
  if (start == LineStart::kBlank) {
    if (mode_ == Mode::kPlain) return complete();
    ++blanks_;
    return nullptr;
  }
  if (!headed && mode_ != Mode::kNone && mode_ != Mode::kPlain && continues(start, fragment.text)) {
    if (!held_) append(fragment.text, {fragment.offset, fragment.line});
    if (held_) held_ = RecordPlace{fragment.offset, fragment.line};
    return nullptr;
  }
  const Record* before = complete();
  begin(fragment, start);
  return before;
}

// True when the held line belongs to the open record, which it is then appended to.
bool RecordAssembler::resolve_held(LineStart start) {
  if (start == LineStart::kFrame) return false;
  const RecordPlace place = *held_;
  held_.reset();
  append(kTracebackLine, place);
  return true;
}

void RecordAssembler::begin_held() {
  Fragment fragment;
  fragment.offset = held_->offset;
  fragment.line = held_->line;
  fragment.text = kTracebackLine;
  held_.reset();
  begin(fragment, LineStart::kTraceback);
}

const Record* RecordAssembler::finish() {
  if (held_) resolve_held(LineStart::kBlank);
  return complete();
}

void RecordAssembler::retain() {
  if (mode_ == Mode::kNone || first_.empty()) return;
  head_.reserve(64);  // never inside the object: views must survive a swap
  head_.assign(first_);
  LineHeader& header = open_.header;
  header.file = rebase(header.file, first_, head_);
  header.host = rebase(header.host, first_, head_);
  header.message = rebase(header.message, first_, head_);
  if (open_.lines == 1) open_.text = header.message;
  first_ = {};
}

void RecordAssembler::begin(const Fragment& fragment, LineStart start) {
  const bool headed = fragment.header.family != HeaderFamily::kNone;
  open_.place = {fragment.offset, fragment.line};
  open_.lines = 1;
  open_.header = fragment.header;
  if (!headed) open_.header.message = fragment.text;
  open_.text = open_.header.message;
  first_ = fragment.text;
  blanks_ = 0;
  mode_ = headed ? Mode::kHeader : mode_for(start, fragment.text);
  switch (mode_) {
    case Mode::kHeader:
      open_.kind = RecordKind::kLog;
      break;
    case Mode::kFrames:
    case Mode::kMessage:
      open_.kind = RecordKind::kTraceback;
      interrupted_ = 0;
      tf_error_ = fragment.text.starts_with("tensorflow.");
      break;
    case Mode::kFaulthandler:
    case Mode::kAbort:
    case Mode::kSignal:
    case Mode::kStacks:
      open_.kind = kind_of_crash(start);
      break;
    default:
      open_.kind = start == LineStart::kShellEnd ? RecordKind::kCrash : RecordKind::kPlain;
      break;
  }
  if (interrupted_ > 0) --interrupted_;
}

RecordAssembler::Mode RecordAssembler::mode_for(LineStart start, std::string_view line) const {
  switch (start) {
    case LineStart::kTraceback:
    case LineStart::kTracebackIntro:
    case LineStart::kFrame:
      return Mode::kFrames;
    case LineStart::kFatalPython:
    case LineStart::kWatchdog:
    case LineStart::kThread:
      return Mode::kFaulthandler;
    case LineStart::kAbort:
      return Mode::kAbort;
    case LineStart::kSignal:
      return Mode::kSignal;
    case LineStart::kStack:
      return Mode::kStacks;
    case LineStart::kIndented:
      return interrupted_ > 0 ? Mode::kFrames : Mode::kPlain;
    default:
      // The exception line of a traceback that another thread's record cut in two.
      return interrupted_ > 0 && is_exception_line(line) ? Mode::kMessage : Mode::kPlain;
  }
}

bool RecordAssembler::continues(LineStart start, std::string_view line) {
  if (open_.lines >= kMaxRecordLines || open_.text.size() + line.size() > kMaxRecordBytes) {
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
  return open_.lines == 1 ? open_.text : std::string_view(last_line_);
}

// The last line so far leaves something open.
bool RecordAssembler::is_open_sentence() {
  if (ends_open(last_line())) return true;
  if (!is_tensorflow(open_.header) || open_.lines > kMaxBracketLines) return false;
  if (open_.lines == 1) balance_ = bracket_balance(open_.text);
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
  const bool resumes = interrupted_ > 0 && open_.lines == 1 && !is_open_sentence();
  switch (start) {
    case LineStart::kIndented:
    case LineStart::kFrame:
      return !resumes;
    case LineStart::kTraceback:  // perhaps of a Python op, inside a status text
      if (!open_.header.cpp_file || !ends_with_python_exception(last_line())) return false;
      held_.emplace();
      return true;
    case LineStart::kPlain:
      if (resumes && is_exception_line(line)) return false;
      if (continues_tf_text(line)) return true;
      if (closes_status(last_line())) return false;
      if (is_open_sentence()) return true;
      if (open_.lines > 1 && is_tensorflow(open_.header) && is_text_proto(last_line()) &&
          is_text_proto(line)) {
        return true;
      }
      return open_.header.severity >= LogSeverity::kWarning && is_tensorflow(open_.header) &&
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
      const bool intro = open_.lines == 1 && !open_.text.starts_with("Traceback");
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

void RecordAssembler::append(std::string_view text, RecordPlace place) {
  if (open_.lines == 1) {
    buffer_.assign(open_.text);
    balance_ = bracket_balance(open_.text);
  }
  buffer_.append(blanks_ + 1, '\n');
  open_.marks.push_back({buffer_.size(), place});
  buffer_.append(text);
  open_.lines += blanks_ + 1;
  open_.text = buffer_;
  blanks_ = 0;
  balance_ += bracket_balance(text);
  last_line_.assign(text);
}

const Record* RecordAssembler::complete() {
  if (mode_ == Mode::kNone) return nullptr;
  const bool group_ended = last_line_.starts_with(kGroupEnd);
  if (mode_ == Mode::kFrames && !group_ended) interrupted_ = kInterruptedRecords;
  std::swap(open_, done_);
  std::swap(head_, done_head_);
  std::swap(buffer_, done_buffer_);
  if (!done_.marks.empty()) {
    done_.text = done_buffer_;
    done_.header.message = done_.text.substr(0, done_.header.message.size());
  }
  open_.marks.clear();
  head_.clear();
  buffer_.clear();
  last_line_.clear();
  first_ = {};
  mode_ = Mode::kNone;
  blanks_ = 0;
  unknown_ = 0;
  balance_ = 0;
  tf_error_ = false;
  quoted_ = false;
  return &done_;
}

}  // namespace tfpm
