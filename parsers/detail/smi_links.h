// NVLinks and topology: `nvidia-smi nvlink`, `topo -m`, `-L` (log-formats.md 9.4).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/detail/smi_rows.h"

namespace tfpm {

class SmiLinksReader {
 public:
  explicit SmiLinksReader(SmiRows& rows) : rows_(rows) {}
  // True when the line is a GPU of a list, one of its links, or a row or legend of the matrix.
  bool add(std::string_view line, const SmiPlace& place);
  // An empty line or a command: the matrix is over.
  void end_block() { devices_.clear(); }

 private:
  bool add_gpu(std::string_view text);
  bool add_link(std::string_view text, const SmiPlace& place);
  bool add_matrix(std::string_view text, const SmiPlace& place);

  SmiRows& rows_;
  std::optional<std::int64_t> gpu_;
  std::optional<std::string> uuid_;
  std::vector<std::string> devices_;  // columns of the matrix
};

}  // namespace tfpm
