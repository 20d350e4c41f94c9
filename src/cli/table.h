// Rows of a query as text, in the four formats of `tfpm query`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/row.h"
#include "base/status.h"

namespace tfpm::cli {

enum class TableFormat { kTable, kCsv, kJson, kMarkdown };
std::optional<TableFormat> table_format(std::string_view name);  // 'table', 'csv', 'json', 'md'

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<Value>> rows;  // as many values as columns; RowRef does not occur
};

// Writes rows as they come, in memory that does not grow with their number. NULL is empty in csv,
// null in json, and NULL in the formats for people; blobs arrive as text. Control characters become
// \xNN, in csv all but the tab and the line ends that its quotes allow; json escapes them. Columns
// of one name are numbered in json ("id", "id_2"): an object cannot hold a key twice.
class TableWriter {
 public:
  using Output = std::function<Status(std::string_view)>;
  // Rows that decide the widths of an aligned table; wider cells behind them push their line out.
  static constexpr std::size_t kMeasuredRows = 1000;

  TableWriter(TableFormat format, std::vector<std::string> columns, Output output);
  Status add(std::vector<Value> row);  // as many values as columns
  Status finish();                     // call once, also when there was no row

 private:
  void measure();
  void aligned_row(const std::vector<Value>& row);
  void json_row(const std::vector<Value>& row);
  void csv_row(const std::vector<Value>& row);
  void markdown_row(const std::vector<Value>& row);
  void write_heading();
  Status flush(std::size_t at_least);

  TableFormat format_;
  std::vector<std::string> columns_;
  Output output_;
  std::string pending_;                    // text not handed out yet
  std::vector<std::vector<Value>> first_;  // rows of an aligned table before it is measured
  bool measured_ = false;
  std::vector<std::size_t> widths_;
  std::vector<bool> numbers_;  // columns of numbers alone
  bool any_row_ = false;
};

// A whole table at once. Ends with a newline.
std::string to_text(const Table& table, TableFormat format);

// Columns that a terminal gives the text (wide characters count two).
std::size_t display_width(std::string_view text);

}  // namespace tfpm::cli
