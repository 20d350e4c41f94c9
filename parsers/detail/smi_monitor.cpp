#include "parsers/detail/smi_monitor.h"

#include <algorithm>

#include "parsers/detail/text.h"
#include "parsers/detail/time_text.h"

namespace tfpm {
namespace {

struct NumberField {
  std::string_view name;
  std::optional<double> GpuSample::*member;
};
constexpr NumberField kNumbers[] = {
    {"pwr", &GpuSample::power_w},          {"gtemp", &GpuSample::temperature_c},
    {"temp", &GpuSample::temperature_c},   {"sm", &GpuSample::util_percent},
    {"mem", &GpuSample::mem_util_percent}, {"mclk", &GpuSample::mem_clock_mhz},
    {"pclk", &GpuSample::sm_clock_mhz},    {"fb", &GpuSample::mem_used_mib}};

// "# gpu    pwr  gtemp ..." (dmon) or "# gpu   pid  type ..." (pmon), with "#Date Time" in front
// under -o DT.
std::vector<std::string> parse_header(std::string_view line) {
  if (line.empty() || line[0] != '#') return {};
  std::vector<std::string> columns;
  for (const std::string_view word : split_blanks(line.substr(1))) {
    columns.push_back(to_lower(word));
  }
  const bool gpu = std::find(columns.begin(), columns.end(), "gpu") != columns.end();
  const bool known = std::any_of(columns.begin(), columns.end(), [](const std::string& name) {
    return name == "pid" || name == "rxpci" || name == "pviol" || name == "sbecc" ||
           std::any_of(std::begin(kNumbers), std::end(kNumbers),
                       [&](const NumberField& field) { return field.name == name; });
  });
  return gpu && known ? columns : std::vector<std::string>();
}

// "20260305" and "14:05:42".
std::optional<std::int64_t> parse_time(std::string_view date, std::string_view clock) {
  if (date.size() != 8) return std::nullopt;
  const std::string text = std::string(date.substr(0, 4)) + "-" + std::string(date.substr(4, 2)) +
                           "-" + std::string(date.substr(6, 2)) + "T" + std::string(clock);
  const auto stamp = leading_iso_time(text);
  return stamp ? std::optional(stamp->time_us) : std::nullopt;
}

}  // namespace

bool SmiMonitorReader::add(std::string_view line, const SmiPlace& place) {
  const std::string_view text = trim(line);
  if (text.empty()) return false;
  if (std::vector<std::string> header = parse_header(text); !header.empty()) {
    columns_ = std::move(header);
    return true;
  }
  if (columns_.empty()) return false;
  if (text[0] == '#') {
    if (contains(text, "Idx") || contains(text, "YYYYMMDD")) return true;  // the units below it
    columns_.clear();
    return false;
  }
  std::vector<std::string_view> cells = split_blanks(text);
  if (cells.size() < columns_.size()) {
    columns_.clear();
    return false;
  }
  // The last column is a command, which may hold blanks.
  const std::size_t last = columns_.size() - 1;
  cells[last] = text.substr(static_cast<std::size_t>(cells[last].data() - text.data()));
  add_row(cells, place);
  return true;
}

void SmiMonitorReader::add_row(const std::vector<std::string_view>& cells, const SmiPlace& place) {
  GpuSample gpu;
  GpuProcess process;
  gpu.place = process.place = place;
  std::string_view date;
  bool is_process = false;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::string& name = columns_[i];
    if (name == "date") date = cells[i];
    if (name == "time") gpu.time_us = parse_time(date, cells[i]);
    if (name == "gpu") gpu.index = smi_count(cells[i]);
    if (name == "sbecc") gpu.ecc_corrected = smi_count(cells[i]);
    if (name == "dbecc") gpu.ecc_uncorrected = smi_count(cells[i]);
    if (name == "pid") {
      is_process = true;
      process.pid = smi_count(cells[i]);
    }
    if (name == "type" && smi_value(cells[i])) process.type = std::string(cells[i]);
    if ((name == "command" || name == "name") && smi_value(cells[i])) {
      process.name = std::string(cells[i]);
    }
    for (const NumberField& field : kNumbers) {
      if (field.name == name) gpu.*field.member = smi_number(cells[i]);
    }
  }
  if (!gpu.index) return;
  if (!is_process) {
    rows_.add(gpu);
  } else if (process.pid) {
    process.index = gpu.index;
    process.time_us = gpu.time_us;
    process.mem_used_mib = gpu.mem_used_mib;
    rows_.add(process);
  }
}

}  // namespace tfpm
