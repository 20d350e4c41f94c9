#include "parsers/detail/smi_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxName = 300;

// In the order of their bits (nvml.h).
constexpr std::array<std::string_view, 9> kReasons = {"gpu_idle",
                                                      "applications_clocks_setting",
                                                      "sw_power_cap",
                                                      "hw_slowdown",
                                                      "sync_boost",
                                                      "sw_thermal_slowdown",
                                                      "hw_thermal_slowdown",
                                                      "hw_power_brake_slowdown",
                                                      "display_clocks"};

Value text_or_null(const std::optional<std::string>& text) {
  return text ? text_value(clean_utf8(*text, kMaxName)) : null_value();
}

Value reasons_value(const std::optional<std::set<std::string>>& reasons) {
  if (!reasons) return null_value();
  std::string out;
  for (const std::string& reason : *reasons) out += (out.empty() ? "" : ",") + reason;
  return text_value(out);
}

}  // namespace

void SmiRows::add(const GpuSample& s) {
  ++count_;
  sink_.add("gpu_sample", {{"line", int_value(s.place.line)},
                           {"byte_offset", int_value(s.place.byte_offset)},
                           {"owner", optional_value(owner_)},
                           {"gpu_index", optional_value(s.index)},
                           {"uuid", text_or_null(s.uuid)},
                           {"pci_bus", text_or_null(s.pci_bus)},
                           {"name", text_or_null(s.name)},
                           {"time_raw_us", optional_value(s.time_us)},
                           {"util_percent", optional_value(s.util_percent)},
                           {"mem_util_percent", optional_value(s.mem_util_percent)},
                           {"mem_used_mib", optional_value(s.mem_used_mib)},
                           {"mem_total_mib", optional_value(s.mem_total_mib)},
                           {"mem_reserved_mib", optional_value(s.mem_reserved_mib)},
                           {"temperature_c", optional_value(s.temperature_c)},
                           {"power_w", optional_value(s.power_w)},
                           {"power_limit_w", optional_value(s.power_limit_w)},
                           {"sm_clock_mhz", optional_value(s.sm_clock_mhz)},
                           {"mem_clock_mhz", optional_value(s.mem_clock_mhz)},
                           {"throttle", reasons_value(s.throttle)},
                           {"ecc_uncorrected", optional_value(s.ecc_uncorrected)},
                           {"ecc_corrected", optional_value(s.ecc_corrected)},
                           {"driver", text_or_null(s.driver)},
                           {"cuda", text_or_null(s.cuda)},
                           {"mig", s.mig ? int_value(*s.mig ? 1 : 0) : null_value()}});
}

void SmiRows::add(const GpuProcess& p) {
  ++count_;
  sink_.add("gpu_process", {{"line", int_value(p.place.line)},
                            {"byte_offset", int_value(p.place.byte_offset)},
                            {"gpu_index", optional_value(p.index)},
                            {"uuid", text_or_null(p.uuid)},
                            {"pid", optional_value(p.pid)},
                            {"type", text_or_null(p.type)},
                            {"name", text_or_null(p.name)},
                            {"mem_used_mib", optional_value(p.mem_used_mib)},
                            {"time_raw_us", optional_value(p.time_us)}});
}

void SmiRows::add_row(std::string_view table, std::vector<Field> fields) {
  ++count_;
  fields.push_back({"owner", optional_value(owner_)});
  sink_.add(table, std::move(fields));
}

void SmiRows::problem(std::string_view code, const SmiPlace& place, std::string detail) {
  sink_.problem({code, ProblemSeverity::kNotice, place.byte_offset, std::move(detail)});
}

std::optional<std::string_view> smi_value(std::string_view cell) {
  cell = trim(cell);
  // "[N/A]", "[Unknown Error]", "[GPU is lost]", "[Insufficient Permissions]": all mean no value.
  if (cell.empty() || cell[0] == '[' || cell == "N/A" || cell == "-" || cell == "Unknown Error" ||
      cell == "None" || cell.starts_with("ERR!")) {
    return std::nullopt;
  }
  return cell;
}

std::optional<double> smi_number(std::string_view cell) {
  const auto value = smi_value(cell);
  if (!value) return std::nullopt;
  const auto number = leading_decimal(*value);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<std::int64_t> smi_count(std::string_view cell) {
  const auto number = smi_number(cell);
  if (!number || *number < 0 || *number > 9e15 || std::floor(*number) != *number) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(*number);
}

std::set<std::string> throttle_reasons(std::int64_t mask) {
  std::set<std::string> out;
  for (std::size_t bit = 0; bit < kReasons.size(); ++bit) {
    if ((mask >> bit) & 1) out.emplace(kReasons[bit]);
  }
  return out;
}

std::string throttle_name(std::string_view key) {
  std::string name = to_lower(key);
  std::replace(name.begin(), name.end(), ' ', '_');
  std::string_view view = name;
  for (const std::string_view prefix : {"clocks_event_reasons.", "clocks_throttle_reasons.",
                                        "clocks_event_reason_", "clocks_throttle_reason_"}) {
    eat(view, prefix);
  }
  if (view == "idle") view = "gpu_idle";
  if (view == "display_clock_setting" || view == "display_clocks_setting") view = "display_clocks";
  const bool known = std::find(kReasons.begin(), kReasons.end(), view) != kReasons.end();
  return known ? std::string(view) : std::string();
}

}  // namespace tfpm
