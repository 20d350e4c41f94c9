// Rows of a query as text, in the four formats of `tfpm query`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/row.h"

namespace tfpm::cli {

enum class TableFormat { kTable, kCsv, kJson, kMarkdown };
std::optional<TableFormat> table_format(std::string_view name);  // 'table', 'csv', 'json', 'md'

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<Value>> rows;  // as many values as columns; RowRef does not occur
};

// Ends with a newline. NULL is empty in csv, null in json, and NULL in the formats for people;
// blobs arrive as text. Only json and csv keep control characters.
std::string to_text(const Table& table, TableFormat format);

// Columns that a terminal gives the text (wide characters count two).
std::size_t display_width(std::string_view text);

}  // namespace tfpm::cli
