// `nvidia-smi dmon` and `pmon`: columns named by '#' header lines (log-formats.md 9.4).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parsers/detail/smi_rows.h"

namespace tfpm {

class SmiMonitorReader {
 public:
  explicit SmiMonitorReader(SmiRows& rows) : rows_(rows) {}
  // True when the line is a header of dmon or pmon, or a row below one.
  bool add(std::string_view line, const SmiPlace& place);

 private:
  void add_row(const std::vector<std::string_view>& cells, const SmiPlace& place);

  SmiRows& rows_;
  std::vector<std::string> columns_;
};

}  // namespace tfpm
