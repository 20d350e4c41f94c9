// Headers written by C++: TensorFlow classic, absl, gRPC, Horovod, NCCL (log-formats.md sections
// 2.1, 2.2, 2.5, 6.3, 8).
#include "ingest/bytes.h"
#include "ingest/header_forms.h"
#include "ingest/stamp.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxPlace = 300;                    // longest `file:line` that is looked for
constexpr std::int64_t kFirstPthreadId = 10'000'000'000;  // absl-py writes pthread ids, C++ tids

// `   48213 ` in front of the file; absent when there is no number.
std::optional<std::int64_t> take_thread_id(std::string_view& text) {
  const std::size_t blanks = count_blanks(text);
  const std::size_t digits = count_digits(text.substr(blanks));
  if (digits == 0 || blanks + digits >= text.size() || text[blanks + digits] != ' ') {
    return std::nullopt;
  }
  const std::optional<std::int64_t> id = to_int(text.substr(blanks, digits));
  if (id) text.remove_prefix(blanks + digits);
  return id;
}

// `file.cc:12] msg` (blanks in front allowed) into file, file_line, cpp_file and message.
bool take_place(std::string_view text, LineHeader& out) {
  text.remove_prefix(count_blanks(text));
  const std::size_t end = text.substr(0, kMaxPlace).find(']');
  if (end == std::string_view::npos || !split_place(text.substr(0, end), out)) return false;
  if (out.file.find(' ') != std::string_view::npos) return false;
  out.cpp_file = is_cpp_file(out.file) && !out.file.ends_with("logging_ops.cc");
  std::string_view message = text.substr(end + 1);
  if (message.starts_with(' ')) message.remove_prefix(1);
  out.message = message;
  return true;
}

bool is_host_char(char c) {
  return is_word(c) || c == '-' || c == '.';
}

// `host:pid:tid ` of NCCL; returns its length with the blank, 0 when it is none.
std::size_t take_nccl_origin(std::string_view line, LineHeader& out) {
  std::size_t host = 0;
  while (host < line.size() && host < 256 && is_host_char(line[host])) ++host;
  if (host == 0 || host >= line.size() || line[host] != ':') return 0;
  const std::size_t pid = count_digits(line.substr(host + 1));
  const std::size_t second = host + 1 + pid;
  if (pid == 0 || second >= line.size() || line[second] != ':') return 0;
  const std::size_t tid = count_digits(line.substr(second + 1));
  const std::size_t end = second + 1 + tid;
  if (tid == 0 || end >= line.size() || line[end] != ' ') return 0;
  out.host = line.substr(0, host);
  out.thread_id = to_int(line.substr(second + 1, tid));
  return end + 1;
}

}  // namespace

std::optional<LogSeverity> severity_of_letter(char letter) {
  switch (letter) {
    case 'D':
    case 'I':
      return LogSeverity::kInfo;
    case 'W':
      return LogSeverity::kWarning;
    case 'E':
      return LogSeverity::kError;
    case 'F':
    case 'C':
      return LogSeverity::kFatal;
    default:
      return std::nullopt;
  }
}

bool split_place(std::string_view place, LineHeader& out) {
  std::size_t begin = place.size();
  while (begin > 0 && is_digit(place[begin - 1])) --begin;
  if (begin == place.size() || begin < 2 || place[begin - 1] != ':') return false;
  out.file_line = to_int(place.substr(begin));
  out.file = place.substr(0, begin - 1);
  return out.file_line.has_value();
}

bool is_cpp_file(std::string_view file) {
  return file.ends_with(".cc") || file.ends_with(".h") || file.ends_with(".cpp") ||
         file.ends_with(".cu") || file.ends_with(".cuh") || file.ends_with(".hpp") ||
         file.ends_with(".inc");
}

bool parse_classic(std::string_view line, std::size_t length, LineHeader& out) {
  if (line.size() < length + 6) return false;
  const char* p = line.data() + length;
  const std::optional<LogSeverity> severity = severity_of_letter(p[2]);
  if (p[0] != ':' || p[1] != ' ' || p[3] != ' ' || !severity) return false;
  std::string_view rest = line.substr(length + 3);
  out.thread_id = take_thread_id(rest);
  if (!take_place(rest, out)) {
    out = {};
    return false;
  }
  out.family = HeaderFamily::kTfClassic;
  out.severity = *severity;
  return true;
}

bool parse_absl(std::string_view line, LineHeader& out) {
  if (line.empty()) return false;
  const std::optional<LogSeverity> severity = severity_of_letter(line[0]);
  if (!severity) return false;
  const StampMatch stamp = parse_absl_stamp(line.substr(1));
  if (!stamp) return false;
  std::string_view rest = line.substr(1 + stamp.length);
  const std::optional<std::int64_t> id = take_thread_id(rest);
  if (!id || !take_place(rest, out)) return false;
  const bool python = *id >= kFirstPthreadId || out.file.ends_with(".py");
  out.family = python ? HeaderFamily::kAbslPython : HeaderFamily::kAbsl;
  out.stamp = stamp.stamp;
  out.severity = *severity;
  if (!python) out.thread_id = id;
  // gRPC pads with a run of blanks behind the bracket.
  if (out.cpp_file) out.message.remove_prefix(count_blanks(out.message));
  return true;
}

bool parse_bracketed_source(std::string_view line, LineHeader& out) {
  if (line.size() < 8 || line[0] != '[') return false;
  std::string_view rest = line.substr(1);
  out.severity = LogSeverity::kNone;
  if (rest[1] == ' ' && severity_of_letter(rest[0])) {
    out.severity = *severity_of_letter(rest[0]);
    rest.remove_prefix(2);
    if (!take_place(rest, out) || !is_cpp_file(out.file)) return false;
    out.family = HeaderFamily::kHorovod;
    return true;
  }
  const std::size_t end = rest.substr(0, kMaxPlace).find("] RAW: ");
  const std::size_t colon = rest.substr(0, kMaxPlace).find(" : ");
  if (end == std::string_view::npos || colon == std::string_view::npos || colon > end) return false;
  out.file_line = to_int(rest.substr(colon + 3, end - colon - 3));
  out.file = rest.substr(0, colon);
  out.cpp_file = is_cpp_file(out.file);
  out.message = rest.substr(end + 2);
  out.family = HeaderFamily::kAbsl;
  return out.file_line.has_value() && out.cpp_file;
}

bool parse_horovod(std::string_view line, const StampMatch& stamp, LineHeader& out) {
  if (!parse_classic(line.substr(1), stamp.length, out)) return false;
  out.family = HeaderFamily::kHorovod;
  out.stamp = stamp.stamp;
  return true;
}

bool parse_nccl(std::string_view line, LineHeader& out) {
  const std::size_t origin = take_nccl_origin(line, out);
  if (origin == 0) return false;
  std::string_view rest = line.substr(origin);
  if (rest.starts_with('[')) {
    const std::size_t end = rest.substr(0, 16).find("] ");
    if (end == std::string_view::npos) return false;
    rest.remove_prefix(end + 2);
  }
  constexpr std::string_view kName = "NCCL ";
  const std::size_t name = rest.substr(0, kMaxPlace).find(kName);
  if (name == std::string_view::npos) return false;
  if (name > 0) {  // WARN: the source place stands in front, newest with ` (function)`
    const std::string_view place = rest.substr(0, rest.find(' '));
    if (!split_place(place, out)) return false;
  }
  rest.remove_prefix(name);  // the level word stays: it is how people quote these lines
  out.family = HeaderFamily::kNccl;
  const bool warn = rest.substr(kName.size()).starts_with("WARN ");
  out.severity = warn ? LogSeverity::kWarning : LogSeverity::kInfo;
  out.message = rest;
  out.cpp_file = true;
  return true;
}

}  // namespace tfpm
