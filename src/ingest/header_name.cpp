#include "ingest/header_name.h"

#include "ingest/bytes.h"
#include "ingest/header_forms.h"

namespace tfpm {
namespace {

bool is_name_char(char c) {
  return is_word(c) || c == '.' || c == '/' || c == '-' || c == '<' || c == '>';
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

}  // namespace

std::string_view take_name(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && n < kMaxName && is_name_char(text[n])) ++n;
  return text.substr(0, n);
}

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

}  // namespace tfpm
