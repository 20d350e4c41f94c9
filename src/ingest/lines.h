// From bytes of a line to what it says of itself: envelope, header, stamp (log-formats.md sections
// 1-5).
//
// Everything here is hand-written fixed-offset code on string_views into the chunk; no allocation,
// no regex: this is the per-record path (performance.md section 2).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tfpm {

enum class LogSeverity : std::uint8_t { kNone, kInfo, kWarning, kError, kFatal };
std::string_view to_string(LogSeverity severity);  // 'none', 'info', ...

// What kind of clock a stamp is of.
enum class StampBasis : std::uint8_t {
  kNone,
  kLocal,     // date and time, no zone stated
  kNoYear,    // absl and glog: year must be guessed; time_us then holds the offset from the year's
              // start
  kTimeOnly,  // no date; time_us is microseconds since midnight
  kEpoch,     // seconds since the epoch, UTC
  kZoned,     // explicit zone or Z; time_us is UTC
};

struct Stamp {
  std::int64_t time_us = 0;  // microseconds since the epoch as written (local times read as if UTC)
  StampBasis basis = StampBasis::kNone;
};

enum class HeaderFamily : std::uint8_t {
  kNone,
  kTfClassic,  // 2026-03-05 14:05:42.123456: E tensorflow/...cc:12] msg
  kAbsl,  // E0000 00:00:1738570500.113911   21777 cuda_dnn.cc:8670] msg, and MMDD forms, gRPC's
          // nine digits
  kAbslPython,   // I0305 14:05:42.123456 140234567890123 file.py:1] msg
  kPython,       // asctime level logger: msg and the other common logging formats
  kTfLogger,     // INFO:tensorflow:msg, LEVEL:logger:msg
  kBracketTime,  // [14:05:42] msg
  kNccl,         // host:pid:tid [dev] NCCL INFO msg
  kHorovod,      // [2026-..: W horovod/...cc:1] msg
  kIsoOnly,      // a time stamp and then text
};

// A log header. `message` is what remains; for kNone it is the whole line.
struct LineHeader {
  HeaderFamily family = HeaderFamily::kNone;
  Stamp stamp;
  LogSeverity severity = LogSeverity::kNone;
  std::optional<std::int64_t> thread_id;  // C++ headers only
  std::string_view file;                  // source file or logger name
  std::optional<std::int64_t> file_line;
  std::string_view host;  // NCCL
  std::string_view message;
  bool cpp_file = false;  // header names a C++ source file
};

// Parses the header at the start of `line` (envelope already peeled). Never fails: kNone when there
// is none.
LineHeader parse_header(std::string_view line);
// Position > 0 of a header glued into the middle of a line behind a progress fragment
// (log-formats.md 5.3), npos if none.
std::size_t find_glued_header(std::string_view line);

enum class EnvelopeKind : std::uint8_t {
  kNone,
  kKubectl,
  kCri,
  kStern,
  kSrun,
  kMpi,
  kRay,
  kRunner,
  kCompose,
  kSyslog,
  kRfc3339,
  kDockerJson,
  kJson,
};
std::string_view to_string(EnvelopeKind kind);

// One peeled layer.
struct Envelope {
  EnvelopeKind kind = EnvelopeKind::kNone;
  std::string_view tag;      // pod, rank, task, service: who; empty = says nothing
  std::string_view channel;  // 'stdout', 'stderr' or empty
  Stamp stamp;               // when the collector saw it
  bool partial = false;      // CRI 'P': the next piece continues the line
  std::string_view inner;    // what remains
};

// Which tagged envelopes a file uses, decided by majority over its first lines before single lines
// are trusted (srun, stern and compose tags are ambiguous on a single line).
class EnvelopeDetector {
 public:
  // `head`: the first bytes of the file (whole lines are counted).
  static EnvelopeDetector from_head(std::string_view head);
  // Peels one layer; kNone when the line has none of the file's envelopes (then it belongs to the
  // platform when the file is tagged).
  Envelope peel(std::string_view line) const;
  bool tagged() const { return tagged_; }
  EnvelopeKind kind() const { return kind_; }

 private:
  EnvelopeKind kind_ = EnvelopeKind::kNone;
  bool tagged_ = false;
  bool stamped_ = false;  // a collector's stamp stands before or behind the tag
};

}  // namespace tfpm
