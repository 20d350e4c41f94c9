// Headers that begin in the middle of a line: stderr text behind a progress bar, torn writes
// (log-formats.md section 5.3).
#include <algorithm>
#include <bit>

#include "ingest/bytes.h"
#include "ingest/lines.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

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

#if defined(__SSE2__)
// One bit per byte that is a colon between two digits or before a `t`; reads the byte before and
// the 16 behind `p`.
unsigned telling_colons(const char* p) {
  const auto load = [](const char* at) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  };
  const auto digits = [](__m128i bytes) {
    return _mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8('0' - 1)),
                         _mm_cmplt_epi8(bytes, _mm_set1_epi8('9' + 1)));
  };
  const __m128i behind = load(p + 1);
  const __m128i clock = _mm_and_si128(digits(load(p - 1)), digits(behind));
  const __m128i logger = _mm_cmpeq_epi8(behind, _mm_set1_epi8('t'));
  const __m128i colon = _mm_cmpeq_epi8(load(p), _mm_set1_epi8(':'));
  return static_cast<unsigned>(
      _mm_movemask_epi8(_mm_and_si128(colon, _mm_or_si128(clock, logger))));
}
#else
unsigned telling_colons(const char* p) {
  unsigned bits = 0;
  for (unsigned i = 0; i < 16; ++i) {
    const bool clock = is_digit(p[i - 1]) && is_digit(p[i + 1]);
    if (p[i] == ':' && (clock || p[i + 1] == 't')) bits |= 1U << i;
  }
  return bits;
}
#endif

// The next colon from `from` >= 1 on that may stand in a header; the line's size or more when none.
// A bar has many colons, each with a blank behind it.
std::size_t next_colon(std::string_view line, std::size_t from) {
  for (; from + 17 <= line.size(); from += 16) {
    const unsigned bits = telling_colons(line.data() + from);
    if (bits != 0) return from + static_cast<std::size_t>(std::countr_zero(bits));
  }
  return std::min(line.find(':', from), line.size());
}

}  // namespace

std::size_t find_glued_header(std::string_view line) {
  for (std::size_t colon = next_colon(line, 1); colon < line.size();
       colon = next_colon(line, colon + 1)) {
    if (is_clock_at(line, colon)) {
      if (const std::size_t begin = stamped_begin(line, colon); begin > 0) return begin;
      colon += 3;
    } else if (const std::size_t begin = logger_begin(line, colon); begin > 0) {
      return begin;
    }
  }
  const std::size_t trace = line.ends_with(':') ? traceback_begin(line, line.size() - 1) : 0;
  return trace > 0 ? trace : std::string_view::npos;
}

}  // namespace tfpm
