// Headers of logfmt: key=value pairs, values quoted where needed (log-formats.md section 3.2).
#include "ingest/bytes.h"
#include "ingest/header_forms.h"
#include "ingest/stamp.h"

namespace tfpm {
namespace {

// Value at the start of `text`, quotes removed and escapes kept; moves it and the blank behind it
// off.
std::string_view take_value(std::string_view& text) {
  std::size_t end = 0;
  std::size_t begin = 0;
  if (text.starts_with('"')) {
    begin = end = 1;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    if (end > text.size()) end = text.size();
  } else {
    while (end < text.size() && text[end] != ' ') ++end;
  }
  const std::string_view value = text.substr(begin, end - begin);
  text.remove_prefix(end < text.size() && begin == 1 ? end + 1 : end);
  text.remove_prefix(count_blanks(text));
  return value;
}

}  // namespace

bool parse_logfmt(std::string_view line, LineHeader& out) {
  std::string_view rest = line;
  if (!rest.starts_with("time=")) return false;
  rest.remove_prefix(5);
  out.stamp = parse_iso_stamp(take_value(rest)).stamp;
  if (out.stamp.basis == StampBasis::kNone) return false;
  out.family = HeaderFamily::kPython;
  out.message = rest;
  if (rest.starts_with("level=")) {
    rest.remove_prefix(6);
    out.severity = parse_level_word(take_value(rest)).severity;
    out.message = rest;
  }
  // Pairs behind the message may hold the step: then all of them are the message.
  std::string_view message = rest;
  if (!message.starts_with("msg=")) return true;
  message.remove_prefix(4);
  const std::string_view text = take_value(message);
  if (message.empty()) {
    out.message = text;
    out.escaped = text.find('\\') != std::string_view::npos;
  }
  return true;
}

}  // namespace tfpm
