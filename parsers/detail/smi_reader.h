// Every text form of nvidia-smi, one after another in one text: captures of several commands,
// repeated tables, and output inside a log. Fed line by line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "parsers/detail/smi_csv.h"
#include "parsers/detail/smi_links.h"
#include "parsers/detail/smi_monitor.h"
#include "parsers/detail/smi_rows.h"
#include "parsers/detail/smi_table.h"
#include "parsers/detail/smi_tree.h"
#include "parsers/detail/smi_xml.h"
#include "parsers/parser.h"

namespace tfpm {

class SmiReader {
 public:
  SmiReader(std::optional<std::string> owner, Sink& sink)
      : rows_(std::move(owner), sink),
        table_(rows_),
        query_(rows_),
        csv_(rows_),
        monitor_(rows_),
        links_(rows_),
        xml_(rows_) {}
  // True when the line is output of nvidia-smi.
  bool add(std::string_view line, std::uint64_t number, std::uint64_t byte_offset);
  void finish();
  std::size_t rows() const { return rows_.count(); }

 private:
  bool add_failure(std::string_view line, const SmiPlace& place);

  SmiRows rows_;
  SmiTableReader table_;
  SmiQueryReader query_;
  SmiCsvReader csv_;
  SmiMonitorReader monitor_;
  SmiLinksReader links_;
  SmiXmlReader xml_;
};

// A line that introduces a command in a capture: "# $ nvidia-smi -q", "$ nvidia-smi", "+
// nvidia-smi".
bool is_smi_command(std::string_view line);

}  // namespace tfpm
