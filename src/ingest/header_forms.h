// The forms of log headers, one function each; parse_header() (lines.h) chooses by first bytes.
// Internal to src/ingest.
#pragma once

#include <optional>
#include <string_view>

#include "ingest/lines.h"

namespace tfpm {

// Each returns true and fills `out` when `line` begins with its form; otherwise `out` may hold
// rubbish.

struct StampMatch;

// Behind an iso stamp of `length` bytes: `: E file.cc:12] msg` (log-formats.md 2.1).
bool parse_classic(std::string_view line, std::size_t length, LineHeader& out);
// `E0305 14:05:42.123456 123 file:12] msg`: absl C++ and Python, gRPC, klog (2.2, 2.5, 3).
bool parse_absl(std::string_view line, LineHeader& out);
// `[file.cc : 345] RAW: text` and Horovod's `[W file.cc:1] text` without time.
bool parse_bracketed_source(std::string_view line, LineHeader& out);
// `[2026-03-05 14:05:42.123456: W horovod/common/x.cc:107] msg` (6.3); `stamp` was read behind the
// bracket.
bool parse_horovod(std::string_view line, const StampMatch& stamp, LineHeader& out);
// `host:pid:tid [dev] NCCL INFO msg` and the WARN form, without time in front (8).
bool parse_nccl(std::string_view line, LineHeader& out);
// Python's formats that begin with a stamp, bare or behind a bracket, whatever follows (3).
bool parse_python_stamped(std::string_view line, const StampMatch& stamp, LineHeader& out);
// Formats that begin with a level word: `INFO:tensorflow:msg`, `INFO 2026-... file.py:42: msg`,
// `[INFO] msg`.
bool parse_python_level(std::string_view line, LineHeader& out);
// `/app/train.py:88: UserWarning: text` of the warnings module.
bool parse_python_warning(std::string_view line, LineHeader& out);
// `[14:05:42] msg`.
bool parse_bracket_time(std::string_view line, LineHeader& out);
// `time="2026-03-05T14:05:42Z" level=info msg="text"` (logrus and other logfmt writers).
bool parse_logfmt(std::string_view line, LineHeader& out);
// One JSON object with a level, a time or a message.
bool parse_json_header(std::string_view line, LineHeader& out);

// Severity of a level word at the start of `text` (INFO, warn, CRITICAL, ...) and its length; 0 =
// no level word. The word must end at a byte that is no word character.
struct LevelWord {
  LogSeverity severity = LogSeverity::kNone;
  std::size_t length = 0;
};
LevelWord parse_level_word(std::string_view text);
// Severity of the letters I, W, E, F (also C and D); absent for others.
std::optional<LogSeverity> severity_of_letter(char letter);
// `name:12`: splits a source place into file and line; false when there is no number.
bool split_place(std::string_view place, LineHeader& out);
// True for names that end like a C++ source file.
bool is_cpp_file(std::string_view file);

}  // namespace tfpm
