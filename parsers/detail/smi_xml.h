// `nvidia-smi -q -x`: the same tree as -q, as XML with one element a line (log-formats.md 9.2).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parsers/detail/smi_rows.h"
#include "parsers/detail/smi_tree.h"

namespace tfpm {

// Reads tags only: no entities besides the five of XML, no DTD, no nesting beyond kMaxDepth.
class SmiXmlReader {
 public:
  static constexpr std::size_t kMaxDepth = 64;

  explicit SmiXmlReader(SmiRows& rows) : rows_(rows), tree_(rows) {}
  // True between <nvidia_smi_log> and its end, and for the lines that introduce it.
  bool add(std::string_view line, const SmiPlace& place);
  // To be called at the end of the text; a log that is still open was cut off.
  void finish();

 private:
  void close_log();
  void open_tag(std::string_view tag, const SmiPlace& place);
  void close_tag(const SmiPlace& place);

  SmiRows& rows_;
  SmiTree tree_;
  SmiPlace last_;  // of the last line inside the log
  bool open_ = false;
  std::vector<std::string> path_;  // elements below the GPU or the log
  bool in_gpu_ = false;
  std::string text_;  // character data of the innermost element
};

}  // namespace tfpm
