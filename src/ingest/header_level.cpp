// Level words, and headers that begin with one (log-formats.md section 3).
#include "ingest/bytes.h"
#include "ingest/header_forms.h"
#include "ingest/header_name.h"
#include "ingest/stamp.h"

namespace tfpm {
namespace {

// `text` begins with the word (given in capitals) and no word character follows it.
bool is_word_ignoring_case(std::string_view text, std::string_view upper) {
  if (text.size() < upper.size()) return false;
  for (std::size_t i = 0; i < upper.size(); ++i) {
    if ((text[i] & ~0x20) != upper[i]) return false;
  }
  return text.size() == upper.size() || !is_word(text[upper.size()]);
}

// `:1772719510.123` in front of the logger's name; moves it off `rest`.
void take_epoch(std::string_view& rest, LineHeader& out) {
  const std::size_t end = rest.substr(0, 32).find(':', 1);
  if (end == std::string_view::npos) return;
  const auto stamp = parse_epoch_stamp(rest.substr(1, end - 1));
  if (!stamp) return;
  out.stamp = *stamp;
  rest.remove_prefix(end);
}

}  // namespace

LevelWord parse_level_word(std::string_view text) {
  if (text.size() < 3) return {};
  const auto match = [text](std::string_view word, LogSeverity severity) {
    return is_word_ignoring_case(text, word) ? LevelWord{severity, word.size()} : LevelWord{};
  };
  LevelWord found;
  switch (text[0] & ~0x20) {
    case 'I':
      return match("INFO", LogSeverity::kInfo);
    case 'W':
      found = match("WARNING", LogSeverity::kWarning);
      return found.length > 0 ? found : match("WARN", LogSeverity::kWarning);
    case 'E':
      found = match("ERROR", LogSeverity::kError);
      if (found.length == 0) found = match("EXCEPTION", LogSeverity::kError);
      return found.length > 0 ? found : match("ERR", LogSeverity::kError);
    case 'D':
      return match("DEBUG", LogSeverity::kInfo);
    case 'C':
      return match("CRITICAL", LogSeverity::kFatal);
    case 'F':
      return match("FATAL", LogSeverity::kFatal);
    case 'N':
      return match("NOTICE", LogSeverity::kInfo);
    case 'T':
      return match("TRACE", LogSeverity::kInfo);
    case 'S':
      return match("SUCCESS", LogSeverity::kInfo);
    default:
      return {};
  }
}

bool parse_python_level(std::string_view line, LineHeader& out) {
  const bool bracket = line.starts_with('[');
  const LevelWord level = parse_level_word(line.substr(bracket ? 1 : 0));
  if (level.length == 0) return false;
  std::string_view rest = line.substr(level.length + (bracket ? 1 : 0));
  out.severity = level.severity;
  if (bracket) {  // [INFO] msg, [INFO 2026-...] msg, [INFO|trainer.py:12] 2026-... >> msg
    if (rest.empty() || (rest[0] != ']' && rest[0] != ' ' && rest[0] != '|')) return false;
    const std::size_t end = rest.find(']');
    if (end == std::string_view::npos || end > kMaxName) return false;
    if (end > 1 && rest[0] == '|') split_place(rest.substr(1, end - 1), out);
    if (end > 1) out.stamp = parse_iso_stamp(rest.substr(1)).stamp;
    rest.remove_prefix(end + 1);
    rest.remove_prefix(count_blanks(rest));
    if (const StampMatch stamp = parse_iso_stamp(rest)) {
      out.stamp = stamp.stamp;
      rest.remove_prefix(stamp.length);
    }
    out.family = HeaderFamily::kPython;
    out.message = trim_message_front(rest);
    return true;
  }
  if (!is_upper(line[0])) return false;  // `error: ...` and the like are plain text
  if (rest.starts_with(": ")) {          // WARNING: All log messages before ...: the word stays
    out.family = HeaderFamily::kTfLogger;
    out.message = line;
    return true;
  }
  if (rest.starts_with(':')) {
    take_epoch(rest, out);  // INFO:1772719510.123:tensorflow:msg
    const std::string_view name = take_name(rest.substr(1));
    const std::size_t end = 1 + name.size();
    if (name.empty() || end >= rest.size() || rest[end] != ':') return false;
    out.family = HeaderFamily::kTfLogger;
    out.file = name;
    out.message = rest.substr(end + 1);
    return true;
  }
  rest.remove_prefix(count_blanks(rest));
  const StampMatch stamp = parse_iso_stamp(rest.substr(rest.starts_with('[') ? 1 : 0));
  if (!stamp) return false;
  out.stamp = stamp.stamp;
  rest.remove_prefix(stamp.length + (rest.starts_with('[') ? 1 : 0));
  if (rest.starts_with(']')) rest.remove_prefix(1);
  take_name_behind_level(rest, out);
  out.family = HeaderFamily::kPython;
  out.message = trim_message_front(rest);
  return true;
}

bool parse_python_warning(std::string_view line, LineHeader& out) {
  const std::size_t place_end = line.substr(0, kMaxName * 3).find(": ");
  if (place_end == std::string_view::npos) return false;
  const std::string_view place = line.substr(0, place_end);
  const std::string_view text = line.substr(place_end + 2);
  const std::size_t category = text.substr(0, kMaxName).find("Warning: ");
  if (!split_place(place, out) || !out.file.ends_with(".py")) return false;
  if (category == std::string_view::npos) return false;
  out.family = HeaderFamily::kPython;
  out.severity = LogSeverity::kWarning;
  out.message = text;
  return true;
}

}  // namespace tfpm
