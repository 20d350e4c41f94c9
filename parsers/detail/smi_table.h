// The default table of nvidia-smi, all widths since driver 3xx, with MIG devices and processes
// (log-formats.md 9.1).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/detail/smi_rows.h"

namespace tfpm {

class SmiTableReader {
 public:
  explicit SmiTableReader(SmiRows& rows) : rows_(rows) {}
  // The stamp printed above the table.
  void set_time(std::optional<std::int64_t> time_us) { time_us_ = time_us; }
  // True when the line is part of a table (starts with '|' or '+').
  bool add(std::string_view line, const SmiPlace& place);
  // Writes the GPU being read; call at the end of the text.
  void finish();

 private:
  enum class Section { kHeader, kGpus, kMig, kProcesses };

  void add_row(std::string_view line, const SmiPlace& place);
  void add_gpu_row(const std::vector<std::string_view>& cells, const SmiPlace& place);
  void add_mig_row(const std::vector<std::string_view>& cells, const SmiPlace& place);
  void add_process(std::string_view cell, const SmiPlace& place);

  SmiRows& rows_;
  Section section_ = Section::kHeader;
  bool in_table_ = false;  // a border or a heading was seen: other programs draw bars, too
  std::optional<std::int64_t> time_us_;
  std::optional<std::string> driver_, cuda_;
  std::optional<GpuSample> gpu_;  // first row seen, more may follow
  int gpu_rows_ = 0;
};

}  // namespace tfpm
