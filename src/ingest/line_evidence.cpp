// What a line says about the text it is part of: goes on, ends, names an exception.
#include <array>

#include "ingest/bytes.h"
#include "ingest/line_start.h"

namespace tfpm {
namespace {

template <std::size_t N>
bool starts_with_any(std::string_view line, const std::array<std::string_view, N>& starts) {
  for (const std::string_view start : starts) {
    if (line.starts_with(start)) return true;
  }
  return false;
}

}  // namespace

bool has_digit(std::string_view line) {
  for (const char c : line) {
    if (is_digit(c)) return true;
  }
  return false;
}

bool continues_tf_text(std::string_view line) {
  constexpr std::array<std::string_view, 38> kKnown = {
      "/job:",
      "Additional GRPC error information from remote target",
      ":UNKNOWN:",
      ":{\"created\"",
      "The error could be from a previous operation",
      "The tasks have crashed",
      "RPC: /",
      "This is usually caused by an earlier error",
      "This could happen if",
      "To enable the following instructions",
      "Instructions for updating",
      "Use tf.",
      "Hint: ",
      "!!! Detected ",
      "Detected at node ",
      "Detected at ",
      "Collective ops is aborted by",
      "Your kernel may have been built without NUMA support",
      "It is treated as a transient connectivity failure",
      "Stats:",
      "Limit:",
      "InUse:",
      "MaxInUse:",
      "NumAllocs:",
      "MaxAllocSize:",
      "Reserved:",
      "PeakReserved:",
      "LargestFreeBlock:",
      "<stack traces unavailable>",
      "Errors may have originated from an input operation",
      "Input Source operations connected to node",
      "Function call stack:",
      "Original stack trace for",
      "Node: ",
      "Status: ",
      "recvmsg:",
      "failed to connect to all addresses",
      "Check the logs of "};
  if (starts_with_any(line, kKnown)) return true;
  const std::size_t digits = count_digits(line);
  if (digits > 0) {
    const std::string_view rest = line.substr(digits);
    return rest.starts_with(" root error(s) found.") ||
           rest.starts_with(" successful operations.") ||
           rest.starts_with(" derived errors ignored.");
  }
  return line[0] == '}' || line[0] == ')' || line[0] == ']' || line.starts_with(", '");
}

bool is_text_proto(std::string_view line) {
  if (line == "}") return true;
  std::size_t name = 0;
  while (name < line.size() && (is_word(line[name]) && !is_upper(line[name]))) ++name;
  if (name == 0) return false;
  const std::string_view rest = line.substr(name);
  if (rest == " {") return true;
  return rest.starts_with(": ") && rest.find(' ', 2) == std::string_view::npos;
}

bool ends_open(std::string_view line) {
  while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
  if (line.empty()) return true;
  const char c = line.back();
  return c == ':' || c == ',' || c == '{' || c == '(' || c == '[' || c == '\\';
}

int bracket_balance(std::string_view line) {
  int balance = 0;
  for (const char c : line) {
    if (c == '{' || c == '(' || c == '[') ++balance;
    if (c == '}' || c == ')' || c == ']') --balance;
  }
  return balance;
}

std::size_t exception_path_length(std::string_view line) {
  std::size_t end = 0;
  while (end < line.size() && (is_word(line[end]) || line[end] == '.')) ++end;
  if (end < 3 || is_digit(line[0])) return 0;
  const bool ends =
      end == line.size() || (line[end] == ':' && (end + 1 == line.size() || line[end + 1] == ' '));
  return ends ? end : 0;
}

bool is_exception_line(std::string_view line) {
  const std::string_view path = line.substr(0, exception_path_length(line));
  for (const std::string_view ending : {"Error", "Exception", "Interrupt", "Exit", "Warning",
                                        "StopIteration", "StopAsyncIteration", "ExceptionGroup"}) {
    if (path.ends_with(ending)) return true;
  }
  return false;
}

bool ends_with_python_exception(std::string_view line) {
  if (is_exception_line(line) && !line.starts_with("tensorflow.")) return true;
  for (std::size_t pos = line.find(' '); pos != std::string_view::npos;
       pos = line.find(' ', pos + 1)) {
    const bool behind_mark = pos > 0 && (line[pos - 1] == ':' || line[pos - 1] == '}');
    if (behind_mark && is_exception_line(line.substr(pos + 1))) return true;
  }
  return false;
}

}  // namespace tfpm
