#include "ingest/continuation.h"

namespace tfpm {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// `12/100 `, after blanks: a progress bar.
bool is_bar(std::string_view line) {
  std::size_t i = line.find_first_not_of(' ');
  if (i == std::string_view::npos || !is_digit(line[i])) return false;
  while (i < line.size() && is_digit(line[i])) ++i;
  return i < line.size() && line[i] == '/';
}

// Text that stands for itself although no header precedes it.
bool begins_by_itself(std::string_view line) {
  switch (line.front()) {
    case 'T':
      return line.starts_with("Traceback (") || line.starts_with("Timeout (");
    case 'F':
      return line.starts_with("Fatal ");
    case 'E':
      return line.starts_with("Epoch ") || line.starts_with("Exception ");
    case 'W':
      return line.starts_with("WARNING: All log messages");
    case '{':
      return line.starts_with("{\"");
    case '*':
      return line.starts_with("*** ");
    default:
      return is_bar(line);
  }
}

}  // namespace

bool continues_record(const RecordRef& record, std::string_view line) {
  if (line.empty()) return true;
  if (line.front() == ' ' || line.front() == '\t') return !is_bar(line);
  if (begins_by_itself(line)) return false;
  return record.has_header || record.text.starts_with("Traceback (") ||
         record.text.starts_with("Fatal ");
}

}  // namespace tfpm
