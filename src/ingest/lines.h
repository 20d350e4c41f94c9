// From bytes of a line to what it says of itself: envelope, header, stamp (log-formats.md sections
// 1-5).
//
// Everything here is hand-written fixed-offset code on string_views into the chunk; no allocation,
// no regex: this is the per-record path (performance.md section 2).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tfpm {

enum class LogSeverity : std::uint8_t { kNone, kInfo, kWarning, kError, kFatal };
std::string_view to_string(LogSeverity severity);  // 'none', 'info', ...

// What kind of clock a stamp is of.
enum class StampBasis : std::uint8_t {
  kNone,
  kLocal,     // date and time, no zone stated
  kNoYear,    // absl, glog, syslog: year must be guessed; time_us then is the offset from the start
              // of a leap year, see in_year()
  kTimeOnly,  // no date; time_us is microseconds since midnight
  kEpoch,     // seconds since the epoch, UTC
  kZoned,     // explicit zone or Z; time_us is UTC
};

struct Stamp {
  std::int64_t time_us = 0;  // microseconds since the epoch as written (local times read as if UTC)
  StampBasis basis = StampBasis::kNone;
};

// A kNoYear stamp in a given year, as microseconds since the epoch; other stamps as they are.
std::int64_t in_year(const Stamp& stamp, int year);

enum class HeaderFamily : std::uint8_t {
  kNone,
  kTfClassic,  // 2026-03-05 14:05:42.123456: E tensorflow/...cc:12] msg
  kAbsl,  // E0000 00:00:1738570500.113911   21777 cuda_dnn.cc:8670] msg, and MMDD forms, gRPC's
          // nine digits
  kAbslPython,   // I0305 14:05:42.123456 140234567890123 file.py:1] msg
  kPython,       // asctime level logger: msg and the other common logging formats
  kTfLogger,     // INFO:tensorflow:msg, LEVEL:logger:msg
  kBracketTime,  // [14:05:42] msg
  kNccl,         // host:pid:tid [dev] NCCL INFO msg; message begins with `NCCL`
  kHorovod,      // [2026-..: W horovod/...cc:1] msg
  kIsoOnly,      // a time stamp and then text
  kJson,         // {"ts": ..., "level": ..., ...}: one JSON object, Python's bare NaN allowed
};
std::string_view to_string(HeaderFamily family);  // 'none', 'tf-classic', ...

// A log header. `message` is what remains; for kNone it is the whole line. Views point into the
// line that was parsed.
struct LineHeader {
  HeaderFamily family = HeaderFamily::kNone;
  Stamp stamp;
  LogSeverity severity = LogSeverity::kNone;
  std::optional<std::int64_t> thread_id;  // C++ headers only
  std::string_view file;                  // source file or logger name
  std::optional<std::int64_t> file_line;
  std::string_view host;  // NCCL
  std::string_view message;
  // Header names a C++ source file, so the text is TensorFlow's, not the program's. False for
  // logging_ops.cc: that is where tf.print(output_stream=...) of the program comes out.
  bool cpp_file = false;
  bool escaped = false;  // `message` is the inside of a JSON string: see unescape_json()
};

// Parses the header at the start of `line` (envelope already peeled). Never fails: kNone when there
// is none.
LineHeader parse_header(std::string_view line);
// Position > 0 of a header glued into the middle of a line behind a progress fragment
// (log-formats.md 5.3), npos if none.
std::size_t find_glued_header(std::string_view line);

// Replaces the escapes of a JSON string's inside by what they mean (\uXXXX as UTF-8, lone
// surrogates as U+FFFD, unknown escapes kept). `out` is overwritten.
void unescape_json(std::string_view text, std::string& out);

enum class EnvelopeKind : std::uint8_t {
  kNone,
  kKubectl,     // [pod/POD/CONTAINER] [STAMP ]msg
  kCri,         // STAMP stdout|stderr F|P msg
  kStern,       // [NS ]POD CONTAINER [STAMP ]msg
  kSrun,        // 2: msg
  kMpi,         // [ASCTIME][1,3]<stderr>:msg
  kRay,         // (name pid=1, ip=2) msg
  kRunner,      // [worker-2]:    msg
  kCompose,     // worker-2  | msg
  kSyslog,      // Mar  5 14:05:42 HOST IDENT[PID]: msg
  kRfc3339,     // STAMP msg, where msg has a header of its own
  kDockerJson,  // {"log":"msg\n","stream":"stderr","time":"..."}
  kJson,        // records of collectors: Fluentd, Filebeat, GCP, journald, stern -o json
};
std::string_view to_string(EnvelopeKind kind);  // 'none', 'kubectl', ...

// What was peeled off a line. Of several layers the innermost that says something counts; the
// stamp closest to the program likewise.
struct Envelope {
  EnvelopeKind kind = EnvelopeKind::kNone;  // innermost layer with a tag, else innermost layer
  std::string_view tag;        // pod, rank, task, service: who; empty = says nothing. srun: '2',
                               // MPI: '[1,3]', syslog: the host
  std::string_view container;  // Kubernetes container or syslog identifier; empty = unknown
  std::string_view channel;    // 'stdout', 'stderr' or empty
  Stamp stamp;                 // when the collector saw it
  bool partial = false;        // CRI 'P', json-file without \n: the next piece continues the line
  bool escaped = false;        // `inner` is the inside of a JSON string: see unescape_json()
  std::string_view inner;      // what remains
};

// The rank an envelope names: '2' -> 2, '[1,3]' -> 3, '[3]' -> 3; absent for all other tags.
std::optional<std::int64_t> rank_of(const Envelope& envelope);

// Which envelopes a file uses, decided by majority over its first lines before single lines are
// trusted (srun, stern and compose tags are ambiguous on a single line). Envelopes may be nested.
class EnvelopeDetector {
 public:
  // `head`: the first bytes of the file. A last line without its end is not counted.
  static EnvelopeDetector from_head(std::string_view head);
  // Peels all layers of the file; kind kNone and inner = line when the line lacks the outermost
  // one (then it belongs to the platform when the file is tagged).
  Envelope peel(std::string_view line) const;
  bool tagged() const { return tagged_; }
  EnvelopeKind kind() const { return layers_[0]; }  // outermost

 private:
  static constexpr std::size_t kMaxLayers = 4;
  std::array<EnvelopeKind, kMaxLayers> layers_{};  // outermost first, kNone = no more
  bool tagged_ = false;
};

}  // namespace tfpm
