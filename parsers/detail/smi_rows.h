// What nvidia-smi says of a GPU and its processes, whatever the output form (log-formats.md 9).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/parser.h"

namespace tfpm {

// Where a value was read.
struct SmiPlace {
  std::uint64_t line = 0;  // from 1
  std::uint64_t byte_offset = 0;
};

// Columns of schema `gpu_sample`; absent = not reported ("N/A", "ERR!", not asked for).
struct GpuSample {
  SmiPlace place;
  std::optional<std::int64_t> index;
  std::optional<std::string> uuid, pci_bus, name, driver, cuda;
  std::optional<std::int64_t> time_us;
  std::optional<double> util_percent, mem_util_percent;
  std::optional<double> mem_used_mib, mem_total_mib, mem_reserved_mib;
  std::optional<double> temperature_c, power_w, power_limit_w, sm_clock_mhz, mem_clock_mhz;
  std::optional<std::set<std::string>> throttle;  // active reasons; empty set = none active
  std::optional<std::int64_t> ecc_uncorrected, ecc_corrected;
  std::optional<bool> mig;
};

// Columns of schema `gpu_process`.
struct GpuProcess {
  SmiPlace place;
  std::optional<std::int64_t> index, pid;
  std::optional<std::string> uuid, type, name;
  std::optional<double> mem_used_mib;
  std::optional<std::int64_t> time_us;
};

// Writes rows of one source.
class SmiRows {
 public:
  // `owner`: task or host the source is named after.
  SmiRows(std::optional<std::string> owner, Sink& sink) : owner_(std::move(owner)), sink_(sink) {}
  void add(const GpuSample& sample);
  void add(const GpuProcess& process);
  // A row of another table; the owner is filled in.
  void add_row(std::string_view table, std::vector<Field> fields);
  void problem(std::string_view code, const SmiPlace& place, std::string detail);
  std::size_t count() const { return count_; }

 private:
  std::optional<std::string> owner_;
  Sink& sink_;
  std::size_t count_ = 0;
};

// A value cell: nullopt for "N/A", "[N/A]", "[Not Supported]", "[Unknown Error]", "-", "ERR!", "".
std::optional<std::string_view> smi_value(std::string_view cell);
// Its number, unit ignored ("78410 MiB", "61C", "97%", "312.07 W", "0").
std::optional<double> smi_number(std::string_view cell);
// Its number as a count.
std::optional<std::int64_t> smi_count(std::string_view cell);
// Names of the bits of clocks_event_reasons.active.
std::set<std::string> throttle_reasons(std::int64_t mask);
// "HW Thermal Slowdown", "clocks_event_reason_hw_thermal_slowdown" to 'hw_thermal_slowdown'; empty
// for anything that is no reason.
std::string throttle_name(std::string_view key);

}  // namespace tfpm
