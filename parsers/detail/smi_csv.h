// CSV of --query-gpu and --query-compute-apps, with or without header and units
// (log-formats.md 9.3). Without a header the fields come from the command, when the text shows it,
// else from the units; a bare number is then nobody's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parsers/detail/smi_rows.h"

namespace tfpm {

class SmiCsvReader {
 public:
  explicit SmiCsvReader(SmiRows& rows) : rows_(rows) {}
  // The command that made the output: its field list serves when there is no header.
  void set_command(std::string_view command);
  // True when the line is a header or a row.
  bool add(std::string_view line, const SmiPlace& place);
  // Rows do not go on behind an empty line or another command.
  void end_block() { columns_.clear(); }

 private:
  void add_row(const std::vector<std::string_view>& cells, const SmiPlace& place);

  SmiRows& rows_;
  std::vector<std::string> columns_;
};

// Field names of a header line, units dropped; empty when it is none.
std::vector<std::string> parse_smi_csv_header(std::string_view line);

}  // namespace tfpm
