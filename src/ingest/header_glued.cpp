// Headers that begin in the middle of a line: stderr text behind a progress bar, torn writes
// (log-formats.md section 5.3).
#include "ingest/bytes.h"
#include "ingest/lines.h"

namespace tfpm {
namespace {

// `:dd:` with digits around: the only place where a stamped header can have its clock.
bool is_clock_at(std::string_view line, std::size_t colon) {
  if (colon < 2 || colon + 5 >= line.size() || line[colon + 3] != ':') return false;
  return is_digit(line[colon - 2]) && is_digit(line[colon - 1]) && is_digit(line[colon + 1]) &&
         is_digit(line[colon + 2]) && is_digit(line[colon + 4]);
}

// Only headers that no plain text would hold by chance.
bool is_strong(const LineHeader& header) {
  switch (header.family) {
    case HeaderFamily::kTfClassic:
    case HeaderFamily::kAbsl:
    case HeaderFamily::kAbslPython:
    case HeaderFamily::kHorovod:
      return header.file_line.has_value();
    case HeaderFamily::kPython:
      return header.severity != LogSeverity::kNone && header.stamp.basis != StampBasis::kNone;
    default:
      return false;
  }
}

bool strong_at(std::string_view line, std::size_t pos) {
  return pos > 0 && is_strong(parse_header(line.substr(pos)));
}

// Where the header whose clock's first colon is at `colon` begins; 0 when it is none.
std::size_t stamped_begin(std::string_view line, std::size_t colon) {
  constexpr std::size_t kDate = 13;  // 2026-03-05 14
  constexpr std::size_t kAbsl = 8;   // I0305 14
  if (colon > kDate && line[colon - 9] == '-') {
    const std::size_t begin = colon - kDate;
    if (begin > 0 && line[begin - 1] == '[' && strong_at(line, begin - 1)) return begin - 1;
    if (strong_at(line, begin)) return begin;
  }
  if (colon > kAbsl && is_alpha(line[colon - kAbsl]) && strong_at(line, colon - kAbsl)) {
    return colon - kAbsl;
  }
  return 0;
}

// Where `INFO:tensorflow:` begins when its first colon is at `colon`; 0 when it is none.
std::size_t logger_begin(std::string_view line, std::size_t colon) {
  if (!line.substr(colon + 1).starts_with("tensorflow:")) return 0;
  for (const std::string_view level : {"INFO", "WARNING", "ERROR", "FATAL", "DEBUG"}) {
    if (line.substr(0, colon).ends_with(level)) return colon - level.size();
  }
  return 0;
}

// Where a traceback begins when the line's last colon is at `colon`; 0 when it is none. Behind a
// blank it may be a message's own words.
std::size_t traceback_begin(std::string_view line, std::size_t colon) {
  constexpr std::string_view kTraceback = "Traceback (most recent call last)";
  if (colon + 1 != line.size() || colon <= kTraceback.size()) return 0;
  const std::size_t begin = colon - kTraceback.size();
  return line[begin - 1] != ' ' && line.substr(begin, kTraceback.size()) == kTraceback ? begin : 0;
}

}  // namespace

std::size_t find_glued_header(std::string_view line) {
  for (std::size_t colon = line.find(':', 1); colon != std::string_view::npos;
       colon = line.find(':', colon + 1)) {
    if (is_clock_at(line, colon)) {
      if (const std::size_t begin = stamped_begin(line, colon); begin > 0) return begin;
      colon += 3;
    } else if (const std::size_t begin = logger_begin(line, colon); begin > 0) {
      return begin;
    } else if (const std::size_t trace = traceback_begin(line, colon); trace > 0) {
      return trace;
    }
  }
  return std::string_view::npos;
}

}  // namespace tfpm
