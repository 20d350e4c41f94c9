// Headers of Python's logging in the formats programs choose (log-formats.md section 3).
//
// One reader for all of them: stamp, level word, logger or source place, in the order found, with
// the usual separators between. What is no part of a header stays in the message: a word followed
// by `: ` and a number is a metric (`loss: 0.53`), not a logger.
#include "ingest/bytes.h"
#include "ingest/header_forms.h"
#include "ingest/header_name.h"
#include "ingest/stamp.h"

namespace tfpm {
namespace {

bool is_separator(char c) {
  return is_blank(c) || c == '-' || c == '|' || c == '[' || c == ']' || c == ':' || c == ',' ||
         c == '>' || c == '(' || c == ')';
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
