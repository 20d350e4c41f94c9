#include <array>

#include "ingest/bytes.h"
#include "ingest/header_forms.h"
#include "ingest/stamp.h"

namespace tfpm {
namespace {

// What the first byte of a line can begin; most lines are sorted out here.
enum class Start : std::uint8_t {
  kNothing,
  kDigit,
  kBracket,
  kBrace,
  kLevelLetter,  // I W E F C D: absl letter or level word, or a host name
  kOther,        // another letter or '/': NCCL host or a warning's path
  kEscape,
};

constexpr Start start_of(char c) {
  if (is_digit(c)) return Start::kDigit;
  if (c == '[') return Start::kBracket;
  if (c == '{') return Start::kBrace;
  if (c == '\x1b') return Start::kEscape;
  if (c == 'I' || c == 'W' || c == 'E' || c == 'F' || c == 'C' || c == 'D' || c == 'N') {
    return Start::kLevelLetter;
  }
  return is_alpha(c) || c == '/' || c == '_' || c == '<' ? Start::kOther : Start::kNothing;
}

constexpr std::array<Start, 256> make_starts() {
  std::array<Start, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = start_of(static_cast<char>(i));
  return table;
}
constexpr std::array<Start, 256> kStarts = make_starts();

// NCCL's origin and a warning's place have no blank before their first colon: rules out most text
// without a search.
bool parse_colon_forms(std::string_view line, LineHeader& out) {
  constexpr std::size_t kMaxOrigin = 256;
  const std::size_t limit = line.size() < kMaxOrigin ? line.size() : kMaxOrigin;
  std::size_t i = 0;
  while (i < limit && line[i] != ':' && line[i] != ' ') ++i;
  if (i + 1 >= line.size() || i == limit || line[i] != ':' || !is_digit(line[i + 1])) return false;
  if (parse_nccl(line, out)) return true;
  out = {};
  return parse_python_warning(line, out);
}

bool parse_digit_forms(std::string_view line, LineHeader& out) {
  if (const StampMatch stamp = parse_iso_stamp(line)) {
    out.stamp = stamp.stamp;
    return parse_classic(line, stamp.length, out) || parse_python_stamped(line, stamp, out);
  }
  if (parse_bracket_time(line, out)) return true;
  out = {};
  StampMatch stamp = parse_short_date_stamp(line);
  if (!stamp) stamp = parse_leading_epoch_stamp(line);
  if (stamp) return parse_python_stamped(line, stamp, out);
  return parse_colon_forms(line, out);
}

bool parse_bracket_forms(std::string_view line, LineHeader& out) {
  if (line.size() < 8) return false;
  if (is_digit(line[1])) {
    if (const StampMatch stamp = parse_iso_stamp(line.substr(1))) {
      return parse_horovod(line, stamp, out) || parse_python_stamped(line, stamp, out);
    }
    return parse_bracket_time(line, out);
  }
  if (parse_bracketed_source(line, out)) return true;
  out = {};
  return parse_python_level(line, out);
}

bool parse_letter_forms(std::string_view line, LineHeader& out) {
  if (parse_absl(line, out)) return true;
  out = {};
  if (parse_python_level(line, out)) return true;
  out = {};
  return parse_colon_forms(line, out);
}

bool parse_by_start(Start start, std::string_view line, LineHeader& out) {
  switch (start) {
    case Start::kDigit:
      return parse_digit_forms(line, out);
    case Start::kBracket:
      return parse_bracket_forms(line, out);
    case Start::kBrace:
      return line.size() > 2 && line[1] == '"' && parse_json_header(line, out);
    case Start::kLevelLetter:
      return parse_letter_forms(line, out);
    case Start::kOther:
      if (line.starts_with("time=")) return parse_logfmt(line, out);
      return parse_colon_forms(line, out);
    case Start::kEscape:
    case Start::kNothing:
      return false;
  }
  return false;
}

}  // namespace

LineHeader parse_header(std::string_view line) {
  LineHeader out;
  out.message = line;
  std::string_view text = line;
  text.remove_prefix(count_ansi(text));
  if (text.empty()) return out;
  const Start start = kStarts[static_cast<unsigned char>(text[0])];
  if (start == Start::kNothing || parse_by_start(start, text, out)) return out;
  out = {};
  out.message = line;
  return out;
}

std::string_view to_string(LogSeverity severity) {
  constexpr std::array<std::string_view, 5> kNames = {"none", "info", "warning", "error", "fatal"};
  return kNames[static_cast<std::size_t>(severity)];
}

std::string_view to_string(HeaderFamily family) {
  constexpr std::array<std::string_view, 11> kNames = {
      "none",         "tf-classic", "absl",    "absl-python", "python", "tf-logger",
      "bracket-time", "nccl",       "horovod", "iso-only",    "json"};
  return kNames[static_cast<std::size_t>(family)];
}

}  // namespace tfpm
