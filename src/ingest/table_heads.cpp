#include "ingest/table_heads.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxHeadLine = 400;
constexpr std::size_t kMaxHead = 40;
// The surest first. Drawn tables have box characters between their columns.
constexpr std::string_view kSeparators[] = {"|", "│", "┃", "║", ";", ",", "\t", "  ", " "};

void add_column(std::string_view text, std::vector<std::string>& out) {
  const std::size_t begin = text.find_first_not_of(" \t\"'#");
  if (begin == std::string_view::npos) return;
  const std::size_t end = text.find_last_not_of(" \t\"'");
  out.emplace_back(text.substr(begin, end - begin + 1));
}

std::vector<std::string> split_at(std::string_view line, std::string_view separator) {
  std::vector<std::string> out;
  std::size_t begin = 0;
  while (begin <= line.size()) {
    const std::size_t end = std::min(line.find(separator, begin), line.size());
    add_column(line.substr(begin, end - begin), out);
    begin = end + separator.size();
  }
  return out;
}

}  // namespace

std::vector<std::string> split_heads(std::string_view line) {
  if (line.size() > kMaxHeadLine) return {};
  std::vector<std::string> columns;
  for (const std::string_view separator : kSeparators) {
    if (line.find(separator) == std::string_view::npos) continue;
    columns = split_at(line, separator);
    if (columns.size() >= 2) break;
  }
  if (columns.size() < 2) return {};
  for (const std::string& column : columns)
    if (column.size() > kMaxHead) return {};
  return columns;
}

}  // namespace tfpm
