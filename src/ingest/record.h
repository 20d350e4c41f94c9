// Joins the physical fragments of one stream to records: a first line with its continuation lines,
// a traceback with its chain, a crash dump (log-formats.md sections 2.4 and 7).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/line_start.h"
#include "ingest/lines.h"

namespace tfpm {

inline constexpr std::size_t kMaxRecordBytes = 1 << 20;
inline constexpr std::size_t kMaxRecordLines = 2000;

// One line or piece of a line (cut at \r, \b runs and glued headers), envelope removed.
struct Fragment {
  std::uint64_t offset = 0;  // in the source
  std::uint64_t line = 0;    // from 1
  std::string_view text;     // header included
  LineHeader header;         // of `text`; `message` points into it, other views may not
};

enum class RecordKind : std::uint8_t {
  kPlain,      // one line without header
  kLog,        // a header and what follows it
  kTraceback,  // see parse_traceback()
  kCrash,      // faulthandler, absl, glibc, terminate, shell: see parse_crash()
  kStacks,     // thread dumps that are no crash: watchdog, gdb, py-spy
};
std::string_view to_string(RecordKind kind);  // 'plain', 'log', ...

struct RecordPlace {
  std::uint64_t offset = 0;
  std::uint64_t line = 0;
};

struct Record {
  RecordKind kind = RecordKind::kPlain;
  RecordPlace place;      // of the first fragment
  std::size_t lines = 0;  // fragments, blank ones inside included
  LineHeader header;      // of the first fragment; family kNone without one
  std::string_view text;  // message of the first fragment, then continuation lines after '\n'
  // The fragment that holds text[pos].
  RecordPlace place_of(std::size_t pos) const;

  struct Mark {
    std::size_t begin = 0;  // in `text`
    RecordPlace place;
  };
  std::vector<Mark> marks;  // of the fragments behind the first
};

// One per stream. Fragments are borrowed: their views must stay valid until the next push(), or
// until retain() was called. Nothing is allocated for records of one line.
class RecordAssembler {
 public:
  // Takes the next fragment. Returns the record before it when the fragment begins a new one, else
  // nullptr. The returned record lives until the next call.
  const Record* push(const Fragment& fragment);
  // The record still open at the end of the stream, or nullptr.
  const Record* finish();
  // Copies what is borrowed; call before the chunk that holds it goes away.
  void retain();
  // What comes next begins a record unless it is a continuation line: nothing of a traceback, crash
  // or quoted text is open or was cut short.
  bool calm() const { return mode_ <= Mode::kHeader && interrupted_ == 0 && !held_; }
  // Of the open record; only its family means something, kNone without one.
  HeaderFamily open_family() const {
    return mode_ == Mode::kNone ? HeaderFamily::kNone : drafts_[at_].record.header.family;
  }

 private:
  // What the open record is made of, which decides what continues it.
  enum class Mode : std::uint8_t {
    kNone,
    kPlain,
    kHeader,
    kFrames,   // traceback, before its exception line
    kMessage,  // traceback, exception line and behind
    kChained,  // traceback, behind `During handling of ...`
    kFaulthandler,
    kAbort,
    kSignal,
    kStacks,
  };

  // Last line of an exception group.
  static constexpr std::string_view kGroupEnd = "    +-------";

  // record_joins.cpp: whether a line without header belongs to the open record.
  bool continues(LineStart start, std::string_view line);
  bool continues_header(LineStart start, std::string_view line);
  bool continues_frames(LineStart start, std::string_view line);
  bool continues_message(LineStart start, std::string_view line);
  bool continues_crash(LineStart start, std::string_view line);
  bool continues_unknown(std::string_view line);
  bool is_open_sentence();
  std::string_view last_line() const;

  bool resolve_held(LineStart start);
  void begin_held();
  void append(std::string_view text, RecordPlace place);
  void begin(const Fragment& fragment, LineStart start);
  Mode mode_for(LineStart start, std::string_view line) const;
  const Record* complete();

  struct Draft {
    Record record;
    std::string buffer;  // its text once it has several lines
    std::string head;    // its first fragment once retained
  };
  Draft& draft() { return drafts_[at_]; }
  Record& open() { return drafts_[at_].record; }
  const Record& open() const { return drafts_[at_].record; }

  // The open record and the returned one, by turns: they are too large to be moved.
  std::array<Draft, 2> drafts_;
  std::size_t at_ = 0;
  std::string last_line_;   // of the open record when it has several lines
  std::string_view first_;  // whole first fragment, as long as it is borrowed
  // A `Traceback` line inside a status text: belongs to it unless frames follow at once.
  std::optional<RecordPlace> held_;
  std::size_t blanks_ = 0;       // blank lines not yet appended
  std::size_t unknown_ = 0;      // continuation lines joined on weak grounds
  std::size_t interrupted_ = 0;  // > 0: a traceback was cut by one of the last records
  int balance_ = 0;              // open brackets in the copied text
  Mode mode_ = Mode::kNone;
  bool tf_error_ = false;  // the traceback's exception is TensorFlow's
  bool quoted_ = false;    // inside a """ block of a remote traceback
};

}  // namespace tfpm
