#include "ingest/record.h"

#include <array>
#include <functional>
#include <utility>

namespace tfpm {
namespace {

// Records of other threads that may stand between the pieces of a traceback.
constexpr std::size_t kInterruptedRecords = 8;
constexpr std::string_view kTracebackLine = "Traceback (most recent call last):";

// `view` as a view into `copy`, which begins with a copy of `from`. A view from elsewhere (a field
// of a line whose message was rewritten) is appended.
std::string_view keep(std::string_view view, std::string_view from, std::string& copy) {
  if (view.empty()) return {};
  const std::less<> before;
  const bool inside = !before(view.data(), from.data()) &&
                      !before(from.data() + from.size(), view.data() + view.size());
  std::size_t begin = copy.size();
  if (inside) {
    begin = static_cast<std::size_t>(view.data() - from.data());
  } else {
    copy.append(view);
  }
  return std::string_view(copy).substr(begin, view.size());
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
  LineHeader& header = open().header;
  // Never moved while it grows below.
  draft().head.reserve(first_.size() + header.file.size() + header.host.size() + 64);
  draft().head.assign(first_);
  for (std::string_view* view : {&header.file, &header.host, &header.message}) {
    *view = keep(*view, first_, draft().head);
  }
  if (open().lines == 1) open().text = header.message;
  first_ = {};
}

void RecordAssembler::begin(const Fragment& fragment, LineStart start) {
  const bool headed = fragment.header.family != HeaderFamily::kNone;
  open().place = {fragment.offset, fragment.line};
  open().lines = 1;
  open().header = fragment.header;
  if (!headed) open().header.message = fragment.text;
  open().text = open().header.message;
  first_ = fragment.text;
  blanks_ = 0;
  // A logger's line may be the head of a traceback that the program formatted itself.
  const bool traceback = headed && open().text.starts_with(kTracebackLine);
  mode_ = traceback ? Mode::kFrames : headed ? Mode::kHeader : mode_for(start, fragment.text);
  switch (mode_) {
    case Mode::kHeader:
      open().kind = RecordKind::kLog;
      break;
    case Mode::kFrames:
    case Mode::kMessage:
      open().kind = RecordKind::kTraceback;
      interrupted_ = 0;
      tf_error_ = fragment.text.starts_with("tensorflow.");
      break;
    case Mode::kFaulthandler:
    case Mode::kAbort:
    case Mode::kSignal:
    case Mode::kStacks:
      open().kind = kind_of_crash(start);
      break;
    default:
      open().kind = start == LineStart::kShellEnd ? RecordKind::kCrash : RecordKind::kPlain;
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

void RecordAssembler::append(std::string_view text, RecordPlace place) {
  if (open().lines == 1) {
    draft().buffer.assign(open().text);
    balance_ = bracket_balance(open().text);
  }
  draft().buffer.append(blanks_ + 1, '\n');
  open().marks.push_back({draft().buffer.size(), place});
  draft().buffer.append(text);
  open().lines += blanks_ + 1;
  open().text = draft().buffer;
  blanks_ = 0;
  balance_ += bracket_balance(text);
  last_line_.assign(text);
}

const Record* RecordAssembler::complete() {
  if (mode_ == Mode::kNone) return nullptr;
  const bool group_ended = last_line_.starts_with(kGroupEnd);
  if (mode_ == Mode::kFrames && !group_ended) interrupted_ = kInterruptedRecords;
  Draft& done = draft();
  at_ = 1 - at_;
  if (!done.record.marks.empty()) {
    done.record.text = done.buffer;
    done.record.header.message = done.record.text.substr(0, done.record.header.message.size());
  }
  open().marks.clear();
  draft().head.clear();
  draft().buffer.clear();
  last_line_.clear();
  first_ = {};
  mode_ = Mode::kNone;
  blanks_ = 0;
  unknown_ = 0;
  balance_ = 0;
  tf_error_ = false;
  quoted_ = false;
  return &done.record;
}

}  // namespace tfpm
