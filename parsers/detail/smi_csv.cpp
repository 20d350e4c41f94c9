#include "parsers/detail/smi_csv.h"

#include <algorithm>

#include "parsers/detail/kernel_event.h"
#include "parsers/detail/smi_health.h"
#include "parsers/detail/text.h"
#include "parsers/detail/time_text.h"

namespace tfpm {
namespace {

struct NumberField {
  std::string_view name;
  std::optional<double> GpuSample::*member;
};
constexpr NumberField kNumbers[] = {{"utilization.gpu", &GpuSample::util_percent},
                                    {"utilization.memory", &GpuSample::mem_util_percent},
                                    {"memory.used", &GpuSample::mem_used_mib},
                                    {"memory.total", &GpuSample::mem_total_mib},
                                    {"memory.reserved", &GpuSample::mem_reserved_mib},
                                    {"temperature.gpu", &GpuSample::temperature_c},
                                    {"power.draw", &GpuSample::power_w},
                                    {"power.draw.instant", &GpuSample::power_w},
                                    {"power.draw.average", &GpuSample::power_w},
                                    {"enforced.power.limit", &GpuSample::power_limit_w},
                                    {"power.limit", &GpuSample::power_limit_w},
                                    {"clocks.sm", &GpuSample::sm_clock_mhz},
                                    {"clocks.current.sm", &GpuSample::sm_clock_mhz},
                                    {"clocks.mem", &GpuSample::mem_clock_mhz},
                                    {"clocks.current.memory", &GpuSample::mem_clock_mhz}};

// Fields that only nvidia-smi has: one of them makes a line a header.
constexpr std::string_view kTelling[] = {"utilization.gpu",
                                         "utilization.memory",
                                         "memory.used",
                                         "memory.total",
                                         "temperature.gpu",
                                         "power.draw",
                                         "pci.bus_id",
                                         "clocks.sm",
                                         "gpu_uuid",
                                         "gpu_bus_id",
                                         "used_gpu_memory",
                                         "used_memory",
                                         "driver_version",
                                         "clocks_throttle_reasons.active",
                                         "clocks_event_reasons.active",
                                         "clocks.current.sm",
                                         "pstate",
                                         "compute_cap"};

bool is_field_name(std::string_view name) {
  if (name.empty() || !is_alpha(name[0])) return false;
  return std::all_of(name.begin(), name.end(), [](char c) { return is_word(c) || c == '.'; });
}

// "memory.used [MiB]" to "memory.used".
std::string_view without_unit(std::string_view cell) {
  return trim(cell.substr(0, cell.find('[')));
}

std::optional<std::int64_t> parse_time(std::string_view cell) {
  const auto stamp = leading_iso_time(cell);
  return stamp ? std::optional(stamp->time_us) : std::nullopt;
}

std::optional<std::string> text_cell(std::string_view cell) {
  const auto value = smi_value(cell);
  return value ? std::optional(std::string(*value)) : std::nullopt;
}

void set_text(GpuSample& gpu, std::string_view name, std::string_view cell) {
  if (name == "timestamp") gpu.time_us = parse_time(cell);
  if (name == "index") gpu.index = smi_count(cell);
  if (name == "uuid" || name == "gpu_uuid") gpu.uuid = text_cell(cell);
  if (name == "name" || name == "gpu_name") gpu.name = text_cell(cell);
  if (name == "pci.bus_id" || name == "gpu_bus_id") gpu.pci_bus = normalised_pci(cell);
  if (name == "driver_version") gpu.driver = text_cell(cell);
  if (name == "mig.mode.current" && smi_value(cell)) gpu.mig = cell == "Enabled";
  if (name == "ecc.errors.uncorrected.volatile.total") gpu.ecc_uncorrected = smi_count(cell);
  if (name == "ecc.errors.corrected.volatile.total") gpu.ecc_corrected = smi_count(cell);
}

void set_throttle(GpuSample& gpu, std::string_view name, std::string_view cell) {
  if (name.ends_with("_reasons.active")) {
    const auto mask = parse_hex(cell);
    if (!mask) return;
    std::set<std::string> reasons = throttle_reasons(*mask);
    if (gpu.throttle) reasons.insert(gpu.throttle->begin(), gpu.throttle->end());
    gpu.throttle = reasons;
    return;
  }
  const std::string reason = throttle_name(name);
  if (reason.empty() || !contains(name, "_reasons.") || contains(name, "counters")) return;
  if (cell != "Active" && cell != "Not Active") return;
  if (!gpu.throttle) gpu.throttle.emplace();
  if (cell == "Active") gpu.throttle->insert(reason);
}

void set_process(GpuProcess& process, std::string_view name, std::string_view cell) {
  if (name == "timestamp") process.time_us = parse_time(cell);
  if (name == "pid") process.pid = smi_count(cell);
  if (name == "process_name" || name == "name") process.name = text_cell(cell);
  if (name == "gpu_uuid") process.uuid = text_cell(cell);
  if (name == "used_gpu_memory" || name == "used_memory") process.mem_used_mib = smi_number(cell);
}

bool has(const std::vector<std::string>& columns, std::string_view name) {
  return std::find(columns.begin(), columns.end(), name) != columns.end();
}

// Cells of a row; a process name may hold the separator, so surplus cells belong to it.
std::vector<std::string> fitted(const std::vector<std::string_view>& cells,
                                const std::vector<std::string>& columns) {
  std::vector<std::string> out(cells.begin(), cells.end());
  const auto at = std::find(columns.begin(), columns.end(), "process_name");
  if (at == columns.end()) return out;
  const auto index = at - columns.begin();
  while (out.size() > columns.size() && index + 1 < static_cast<std::ptrdiff_t>(out.size())) {
    out[static_cast<std::size_t>(index)] += ", " + out[static_cast<std::size_t>(index) + 1];
    out.erase(out.begin() + index + 1);
  }
  return out;
}

bool looks_like_name(std::string_view cell) {
  for (const std::string_view brand : {"NVIDIA ", "Tesla ", "Quadro ", "GeForce "}) {
    if (cell.starts_with(brand)) return true;
  }
  return false;
}

// Field of a cell of output without header, from its form and unit; "" when only its place in an
// unknown command tells. `taken` are the fields of the cells before it.
std::string guessed_field(std::string_view cell, const std::vector<std::string>& taken) {
  const auto first_or_second = [&](std::string_view first, std::string_view second) {
    return std::string(has(taken, first) ? second : first);
  };
  if (leading_iso_time(cell)) return "timestamp";
  if (normalised_pci(cell)) return "pci.bus_id";
  if (cell.starts_with("GPU-")) return "uuid";
  if (looks_like_name(cell)) return "name";
  if (cell.starts_with("0x") && cell.size() == 18) return "clocks_event_reasons.active";
  if (cell.ends_with(" %")) return first_or_second("utilization.gpu", "utilization.memory");
  if (cell.ends_with(" MiB")) return first_or_second("memory.used", "memory.total");
  if (cell.ends_with(" MHz")) return first_or_second("clocks.sm", "clocks.mem");
  if (cell.ends_with(" W")) return first_or_second("power.draw", "power.limit");
  return {};
}

std::vector<std::string> guessed_columns(const std::vector<std::string_view>& cells) {
  if (cells.size() < 3 || cells[0].size() < 19 || cells[0][4] != '/') return {};
  if (!leading_iso_time(cells[0])) return {};
  std::vector<std::string> columns;
  columns.reserve(cells.size());
  for (const std::string_view cell : cells) columns.push_back(guessed_field(cell, columns));
  return columns;
}

}  // namespace

std::vector<std::string> parse_smi_csv_header(std::string_view line) {
  std::vector<std::string> columns;
  bool telling = false;
  for (const std::string_view cell : split(line, ',')) {
    const std::string_view name = without_unit(cell);
    if (!is_field_name(name)) return {};
    telling =
        telling || std::find(std::begin(kTelling), std::end(kTelling), name) != std::end(kTelling);
    columns.emplace_back(name);
  }
  // One bare word is a word; one with a unit is a query of a single field.
  const bool alone = columns.size() == 1 && !contains(line, " [");
  return telling && !alone ? columns : std::vector<std::string>();
}

void SmiCsvReader::set_command(std::string_view command) {
  columns_.clear();
  for (const std::string_view option : {"--query-gpu=", "--query-compute-apps="}) {
    const std::size_t at = command.find(option);
    if (at == std::string_view::npos) continue;
    std::string_view list = command.substr(at + option.size());
    for (const std::string_view name : split(eat_token(list), ',')) columns_.emplace_back(name);
  }
}

bool SmiCsvReader::add(std::string_view line, const SmiPlace& place) {
  if (std::vector<std::string> header = parse_smi_csv_header(line); !header.empty()) {
    // Accounting and page retirement have fields of their own that no table takes.
    const bool other = has(header, "max_memory_usage") || has(header, "retired_pages.address");
    columns_ = other ? std::vector<std::string>() : std::move(header);
    return true;
  }
  const std::vector<std::string_view> cells = split(line, ',');
  if (columns_.empty()) columns_ = guessed_columns(cells);
  if (columns_.empty()) return false;
  if (cells.size() < columns_.size()) return false;
  add_row(cells, place);
  return true;
}

void SmiCsvReader::add_row(const std::vector<std::string_view>& raw, const SmiPlace& place) {
  const std::vector<std::string> cells = fitted(raw, columns_);
  if (cells.size() != columns_.size()) return;
  if (has(columns_, "pid")) {
    GpuProcess process;
    process.place = place;
    for (std::size_t i = 0; i < cells.size(); ++i) set_process(process, columns_[i], cells[i]);
    if (process.pid) rows_.add(process);
    return;
  }
  GpuSample gpu;
  GpuHealth health;
  gpu.place = place;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    set_text(gpu, columns_[i], cells[i]);
    set_throttle(gpu, columns_[i], cells[i]);
    set_health(health, columns_[i], cells[i]);
    for (const NumberField& field : kNumbers) {
      std::optional<double>& target = gpu.*field.member;
      if (field.name == columns_[i] && !target) target = smi_number(cells[i]);
    }
    if (cells[i] == "[GPU is lost]" || cells[i] == "[Unknown Error]") {
      rows_.problem("nvidia-smi-gpu-error", place,
                    "nvidia-smi shows " + cells[i] + " for " + columns_[i]);
    }
  }
  rows_.add(gpu);
  if (health.any) rows_.add_row("gpu_health", health_fields(gpu, health));
}

}  // namespace tfpm
