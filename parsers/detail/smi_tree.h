// `nvidia-smi -q` as text or XML: a tree of keys, read by path (log-formats.md 9.2).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/detail/smi_health.h"
#include "parsers/detail/smi_rows.h"

namespace tfpm {

// Takes values by path and makes rows of them. Keys are normalised to lower case with '_' for
// blanks, so that text and XML, old and new names meet.
class SmiTree {
 public:
  explicit SmiTree(SmiRows& rows) : rows_(rows) {}
  void start_log(const SmiPlace& place);
  void start_gpu(std::string_view bus_id, const SmiPlace& place);
  // `path`: normalised keys from below the GPU (or the log) down to the value's own.
  void value(const std::vector<std::string>& path, std::string_view value, const SmiPlace& place);
  void finish();

 private:
  void log_value(const std::string& key, std::string_view value);
  bool gpu_number(const std::string& path, std::string_view value);
  void gpu_text(const std::string& path, std::string_view value);
  void ecc(const std::string& path, std::string_view value);
  void reason(const std::vector<std::string>& path, std::string_view value, const SmiPlace& place);
  void process(const std::string& key, std::string_view value, const SmiPlace& place);

  SmiRows& rows_;
  SmiPlace place_;
  bool open_ = false;
  std::optional<std::int64_t> time_us_, attached_;
  std::optional<std::string> driver_, cuda_;
  std::vector<GpuSample> gpus_;
  std::vector<GpuHealth> health_;  // of the GPU at the same place
  std::vector<GpuProcess> processes_;
};

std::string normalised_key(std::string_view key);

// Feeds a tree from the indented text form.
class SmiQueryReader {
 public:
  explicit SmiQueryReader(SmiRows& rows) : tree_(rows) {}
  // True when the line belongs to a log that has begun with its NVSMI LOG line.
  bool add(std::string_view line, const SmiPlace& place);
  void finish();

 private:
  SmiTree tree_;
  bool open_ = false;
  bool in_gpu_ = false;
  std::vector<std::string> path_;
};

}  // namespace tfpm
