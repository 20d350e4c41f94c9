// Headers of Python's logging in the formats programs choose (log-formats.md section 3).
//
// One reader for all of them: stamp, level word, logger or source place, in the order found, with
// the usual separators between. What is no part of a header stays in the message: a word followed
// by `: ` and a number is a metric (`loss: 0.53`), not a logger.
#include "ingest/bytes.h"
#include "ingest/header_forms.h"
#include "ingest/stamp.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxName = 120;  // longest logger name or source place

// `text` begins with the word (given in capitals) and no word character follows it.
bool is_word_ignoring_case(std::string_view text, std::string_view upper) {
  if (text.size() < upper.size()) return false;
  for (std::size_t i = 0; i < upper.size(); ++i) {
    if ((text[i] & ~0x20) != upper[i]) return false;
  }
  return text.size() == upper.size() || !is_word(text[upper.size()]);
}

bool is_separator(char c) {
  return is_blank(c) || c == '-' || c == '|' || c == '[' || c == ']' || c == ':' || c == ',' ||
         c == '>' || c == '(' || c == ')';
}

bool is_name_char(char c) {
  return is_word(c) || c == '.' || c == '/' || c == '-' || c == '<' || c == '>';
}

// Skips separators and colour codes.
void skip_separators(std::string_view& text) {
  while (!text.empty()) {
    if (const std::size_t ansi = count_ansi(text); ansi > 0) {
      text.remove_prefix(ansi);
    } else if (is_separator(text[0])) {
      text.remove_prefix(1);
    } else {
      return;
    }
  }
}

std::string_view take_name(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && n < kMaxName && is_name_char(text[n])) ++n;
  return text.substr(0, n);
}

// True for text that a metric's value would begin with.
bool begins_with_number(std::string_view text) {
  text.remove_prefix(count_blanks(text));
  if (text.empty()) return false;
  if (text[0] == '-' || text[0] == '+') text.remove_prefix(1);
  if (text.empty()) return false;
  return is_digit(text[0]) || text[0] == '.' || text.starts_with("nan") ||
         text.starts_with("inf") || text.starts_with("NaN") || text.starts_with("tf.");
}

// Moves blanks and colour codes off the front.
void skip_blanks(std::string_view& text) {
  while (!text.empty()) {
    const std::size_t skip = count_blanks(text) + count_ansi(text);
    if (skip == 0) return;
    text.remove_prefix(skip);
  }
}

// The separator in front of a message: `: `, ` - `, `] `, `| `, `>> ` or one blank. More blanks
// may belong to the message.
std::string_view trim_message_front(std::string_view text) {
  std::string_view rest = text;
  skip_blanks(rest);
  if (rest.starts_with(']')) {
    text = rest.substr(1);
    rest = text;
    skip_blanks(rest);
  }
  for (const std::string_view mark : {"- ", ": ", "| ", ">> ", "-- "}) {
    if (rest.starts_with(mark)) return rest.substr(mark.size());
  }
  if (rest == ":" || rest == "-" || rest == "|") return rest.substr(1);
  return text.starts_with(' ') ? text.substr(1) : text;
}

// `[engine.py:65:step]` or `[trainer.loop]` with the text behind it; false when the brackets hold
// something else (`[Rank 3]`, `[12/40]`).
bool take_bracketed_name(std::string_view& text, LineHeader& out) {
  if (!text.starts_with('[')) return false;
  const std::size_t end = text.substr(0, kMaxName).find(']');
  if (end == std::string_view::npos || end < 2) return false;
  const std::string_view inside = text.substr(1, end - 1);
  if (!is_alpha(inside[0]) && inside[0] != '_' && inside[0] != '/') return false;
  for (const char c : inside) {
    if (!is_name_char(c) && c != ':') return false;
  }
  const std::size_t function = inside.rfind(':');
  if (!split_place(inside, out) &&
      (function == std::string_view::npos || !split_place(inside.substr(0, function), out))) {
    if (inside.find('.') == std::string_view::npos && !out.file.empty()) return false;
    out.file = inside;
    out.file_line.reset();
  }
  text.remove_prefix(end + 1);
  return true;
}

// Names that are no metric even if a number follows.
bool is_certain_logger(std::string_view name) {
  return name == "tensorflow" || name == "absl" || name == "root" ||
         name.find('.') != std::string_view::npos;
}

// `train.py:42` or `module:function:42` at the start of `rest`, whose name has `name` bytes; on
// success `text` is what follows.
void take_place_behind_level(std::string_view rest, std::size_t name, std::string_view& text,
                             LineHeader& out) {
  const std::string_view place = rest.substr(0, rest.find(' ', name));
  const std::size_t end = place.ends_with(':') ? place.size() - 1 : place.size();
  if (!split_place(place.substr(0, end), out)) return;
  out.file = out.file.substr(0, out.file.find(':'));
  text = rest.substr(place.size());
}

// Logger or place behind the level: `train: `, `tensorflow - `, `train.py:42: `, loguru's
// `__main__:main:42 - `. Leaves `text` alone when there is none.
void take_name_behind_level(std::string_view& text, LineHeader& out) {
  std::string_view rest = text;
  skip_blanks(rest);
  if (rest.starts_with("| ") || rest.starts_with("- ")) rest.remove_prefix(2);
  skip_blanks(rest);
  if (take_bracketed_name(rest, out)) {
    text = rest;
    return;
  }
  const std::string_view name = take_name(rest);
  if (name.empty() || is_digit(name[0])) return;
  const std::string_view behind = rest.substr(name.size());
  const bool colon = behind.starts_with(": ") || behind == ":";
  if (behind.starts_with(':') && !colon) {  // name:42: or module:function:42
    take_place_behind_level(rest, name.size(), text, out);
    return;
  }
  const bool dash = behind.starts_with(" - ") || behind.starts_with("] ");
  if (!(colon || dash) || !out.file.empty()) return;
  // `ERROR ValueError: x` has no logger: names that begin with a capital and stand before a colon
  // are part of the message.
  if (colon && is_upper(name[0])) return;
  if (begins_with_number(behind.substr(1)) && !is_certain_logger(name)) return;
  out.file = name;
  text = behind;
}

// A level word directly behind a stamp. One that is not in capitals must be marked off, as in
// `[info  ] msg`: `error reading x` is text.
LevelWord level_behind_stamp(std::string_view text) {
  const LevelWord level = parse_level_word(text);
  if (level.length == 0 || (is_upper(text[0]) && is_upper(text[1]))) return level;
  std::string_view behind = text.substr(level.length);
  behind.remove_prefix(count_blanks(behind));
  const bool marked = !behind.empty() && (behind[0] == ']' || behind[0] == '|' ||
                                          behind[0] == ':' || behind.starts_with("- "));
  return marked ? level : LevelWord{};
}

// Everything behind the stamp. True when a level word was found.
bool parse_behind_stamp(std::string_view text, LineHeader& out) {
  std::string_view rest = text;
  skip_separators(rest);
  LevelWord level = level_behind_stamp(rest);
  if (level.length == 0) {  // perhaps the logger stands before the level
    const std::string_view name = take_name(rest);
    if (name.empty()) return false;
    std::string_view next = rest.substr(name.size());
    skip_separators(next);
    level = parse_level_word(next);
    if (level.length == 0 || is_digit(name[0]) || !is_upper(next[1])) return false;
    out.file = name;
    rest = next;
  }
  out.severity = level.severity;
  rest.remove_prefix(level.length);
  if (rest.starts_with('/')) rest.remove_prefix(1 + take_name(rest.substr(1)).size());  // Celery
  rest.remove_prefix(count_ansi(rest));
  if (rest.starts_with(']')) rest.remove_prefix(1);
  if (rest.starts_with(':') && !rest.starts_with(": ")) rest.remove_prefix(1);
  take_name_behind_level(rest, out);
  out.message = trim_message_front(rest);
  return true;
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

bool parse_python_stamped(std::string_view line, const StampMatch& stamp, LineHeader& out) {
  const bool bracket = line.starts_with('[');
  const std::string_view rest = line.substr(stamp.length + (bracket ? 1 : 0));
  if (!rest.empty() && (is_word(rest[0]) || rest[0] == '.')) return false;
  out.stamp = stamp.stamp;
  if (parse_behind_stamp(rest, out)) {
    out.family = HeaderFamily::kPython;
    return true;
  }
  if (bracket && rest.starts_with("] ") && parse_nccl(rest.substr(2), out)) return true;
  if (parse_absl(rest.substr(rest.starts_with(' ') ? 1 : 0), out)) return true;
  out.file = {};
  out.family = HeaderFamily::kIsoOnly;
  out.message = trim_message_front(rest);
  return true;
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

bool parse_bracket_time(std::string_view line, LineHeader& out) {
  const std::size_t bracket = line.starts_with('[') ? 1 : 0;
  const StampMatch stamp = parse_clock_stamp(line.substr(bracket));
  if (!stamp) return false;
  std::string_view rest = line.substr(bracket + stamp.length);
  if (bracket == 1 && !rest.starts_with(']') && !rest.starts_with(' ')) return false;
  if (bracket == 0 && !rest.starts_with(' ')) return false;
  out.stamp = stamp.stamp;
  out.family = bracket == 1 ? HeaderFamily::kBracketTime : HeaderFamily::kIsoOnly;
  if (!parse_behind_stamp(rest, out)) {
    out.file = {};
    out.message = trim_message_front(rest);
  }
  return true;
}

}  // namespace tfpm
