#include "cli/pattern_from_line.h"

#include <algorithm>
#include <cctype>

#include "base/ascii.h"

namespace tfpm::cli {
namespace {

bool is_hex(char c) {
  return std::isxdigit(static_cast<unsigned char>(c)) != 0;
}

bool is_path_char(char c) {
  return is_word(c) || std::string_view("/.-+=@%:").find(c) != std::string_view::npos;
}

std::size_t run_length(std::string_view text, bool (*wanted)(char)) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), wanted) -
                                  text.begin());
}

// A path that starts here: '/a/b' behind something that is no part of a word.
std::size_t path_length(std::string_view rest, char before) {
  if (rest[0] != '/' || is_word(before) || before == '/' || before == '.') return 0;
  std::size_t n = run_length(rest, is_path_char);
  // Punctuation behind a path belongs to the sentence.
  while (n > 0 && std::string_view(".:,").find(rest[n - 1]) != std::string_view::npos) --n;
  const std::string_view path = rest.substr(0, n);
  return std::count(path.begin(), path.end(), '/') >= 2 ? n : 0;
}

// An id in hex: at least 8 digits, with letters and figures mixed, or behind 0x.
std::size_t hex_length(std::string_view rest, char before) {
  if (is_word(before)) return 0;
  const bool prefixed = rest.starts_with("0x");
  const std::size_t n = run_length(rest.substr(prefixed ? 2 : 0), is_hex);
  if (prefixed) return n > 0 ? n + 2 : 0;
  const std::string_view word = rest.substr(0, n);
  const bool ends = n == rest.size() || !is_word(rest[n]);
  const bool mixed = std::any_of(word.begin(), word.end(), is_digit) &&
                     !std::all_of(word.begin(), word.end(), is_digit);
  return n >= 8 && ends && mixed ? n : 0;
}

void append_literal(std::string& out, char c) {
  if (std::string_view("\\.+*?()|[]{}^$").find(c) != std::string_view::npos) out += '\\';
  out += c;
}

}  // namespace

std::string pattern_from_line(std::string_view message) {
  std::string out;
  char before = ' ';
  while (!message.empty()) {
    std::size_t n = 1;
    if (const std::size_t path = path_length(message, before); path > 0) {
      out += "\\S+";
      n = path;
    } else if (const std::size_t hex = hex_length(message, before); hex > 0) {
      out += message.starts_with("0x") ? "0x[0-9a-fA-F]+" : "[0-9a-fA-F]+";
      n = hex;
    } else if (is_digit(message[0])) {
      out += "[0-9]+";
      n = run_length(message, is_digit);
    } else if (message[0] == ' ') {
      // Columns are padded differently from line to line.
      n = run_length(message, [](char c) { return c == ' '; });
      out += n > 1 ? " +" : " ";
    } else {
      append_literal(out, message[0]);
    }
    before = message[n - 1];
    message.remove_prefix(n);
  }
  return out;
}

}  // namespace tfpm::cli
