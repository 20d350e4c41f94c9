#include "parsers/detail/smi_health.h"

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

struct CountKey {
  std::string_view key;
  std::optional<std::int64_t> GpuHealth::*member;
  bool adds;  // several keys make one number
};
constexpr CountKey kCounts[] = {
    {"ecc.errors.uncorrected.aggregate.total", &GpuHealth::ecc_uncorrected_total, false},
    {"ecc.errors.corrected.aggregate.total", &GpuHealth::ecc_corrected_total, false},
    {"ecc_errors/aggregate/sram_uncorrectable", &GpuHealth::ecc_uncorrected_total, true},
    {"ecc_errors/aggregate/sram_uncorrectable_parity", &GpuHealth::ecc_uncorrected_total, true},
    {"ecc_errors/aggregate/sram_uncorrectable_sec-ded", &GpuHealth::ecc_uncorrected_total, true},
    {"ecc_errors/aggregate/sram_uncorrectable_secded", &GpuHealth::ecc_uncorrected_total, true},
    {"ecc_errors/aggregate/dram_uncorrectable", &GpuHealth::ecc_uncorrected_total, true},
    {"ecc_errors/aggregate/double_bit/total", &GpuHealth::ecc_uncorrected_total, true},
    {"ecc_errors/aggregate/sram_correctable", &GpuHealth::ecc_corrected_total, true},
    {"ecc_errors/aggregate/dram_correctable", &GpuHealth::ecc_corrected_total, true},
    {"ecc_errors/aggregate/single_bit/total", &GpuHealth::ecc_corrected_total, true},
    {"remapped_rows.correctable", &GpuHealth::remapped_correctable, false},
    {"remapped_rows/correctable_error", &GpuHealth::remapped_correctable, false},
    {"remapped_rows/remapped_row_corr", &GpuHealth::remapped_correctable, false},
    {"remapped_rows.uncorrectable", &GpuHealth::remapped_uncorrectable, false},
    {"remapped_rows/uncorrectable_error", &GpuHealth::remapped_uncorrectable, false},
    {"remapped_rows/remapped_row_unc", &GpuHealth::remapped_uncorrectable, false},
    {"retired_pages.double_bit.count", &GpuHealth::retired_pages, false},
    {"retired_pages/double_bit_ecc", &GpuHealth::retired_pages, false},
    {"retired_pages/double_bit_retirement/retired_count", &GpuHealth::retired_pages, false},
    {"pcie.link.gen.current", &GpuHealth::pcie_gen, false},
    {"pcie.link.gen.gpucurrent", &GpuHealth::pcie_gen, false},
    {"pci/gpu_link_info/pcie_generation/current", &GpuHealth::pcie_gen, false},
    {"pci/pci_gpu_link_info/pcie_gen/current_link_gen", &GpuHealth::pcie_gen, false},
    {"pcie.link.gen.max", &GpuHealth::pcie_gen_max, false},
    {"pci/gpu_link_info/pcie_generation/max", &GpuHealth::pcie_gen_max, false},
    {"pci/pci_gpu_link_info/pcie_gen/max_link_gen", &GpuHealth::pcie_gen_max, false},
    {"pcie.link.width.current", &GpuHealth::pcie_width, false},
    {"pci/gpu_link_info/link_width/current", &GpuHealth::pcie_width, false},
    {"pci/pci_gpu_link_info/link_widths/current_link_width", &GpuHealth::pcie_width, false},
    {"pcie.link.width.max", &GpuHealth::pcie_width_max, false},
    {"pci/gpu_link_info/link_width/max", &GpuHealth::pcie_width_max, false},
    {"pci/pci_gpu_link_info/link_widths/max_link_width", &GpuHealth::pcie_width_max, false},
    {"pci/replays_since_reset", &GpuHealth::pcie_replays, false},
    {"pci/replay_counter", &GpuHealth::pcie_replays, false}};

struct FlagKey {
  std::string_view key;
  std::optional<bool> GpuHealth::*member;
};
constexpr FlagKey kFlags[] = {
    {"remapped_rows.pending", &GpuHealth::remap_pending},
    {"remapped_rows/pending", &GpuHealth::remap_pending},
    {"remapped_rows/remapped_row_pending", &GpuHealth::remap_pending},
    {"remapped_rows.failure", &GpuHealth::remap_failed},
    {"remapped_rows/remapping_failure_occurred", &GpuHealth::remap_failed},
    {"remapped_rows/remapped_row_failure", &GpuHealth::remap_failed},
    {"retired_pages.pending", &GpuHealth::retired_pending},
    {"retired_pages/pending_page_blacklist", &GpuHealth::retired_pending},
    {"retired_pages/pending_retirement", &GpuHealth::retired_pending},
    {"retired_pages/pending_blacklist", &GpuHealth::retired_pending}};

struct TextKey {
  std::string_view key;
  std::optional<std::string> GpuHealth::*member;
};
constexpr TextKey kTexts[] = {{"gpu_recovery_action", &GpuHealth::recovery_action},
                              {"fabric.state", &GpuHealth::fabric_state},
                              {"fabric/state", &GpuHealth::fabric_state},
                              {"fabric.status", &GpuHealth::fabric_status},
                              {"fabric/status", &GpuHealth::fabric_status}};

// "Yes", "No", "1", "0".
std::optional<bool> flag_of(std::string_view text) {
  const std::string lower = to_lower(text);
  if (lower == "yes" || lower == "1" || lower == "true") return true;
  if (lower == "no" || lower == "0" || lower == "false") return false;
  return std::nullopt;
}

Value flag_value(const std::optional<bool>& flag) {
  return flag ? int_value(*flag ? 1 : 0) : null_value();
}

Value text_or_null(const std::optional<std::string>& text) {
  return text ? text_value(clean_utf8(*text, 100)) : null_value();
}

}  // namespace

void set_health(GpuHealth& health, std::string_view key, std::string_view cell) {
  const auto value = smi_value(cell);
  if (!value) return;
  for (const CountKey& entry : kCounts) {
    if (entry.key != key) continue;
    const auto count = smi_count(*value);
    if (!count) return;
    auto& target = health.*entry.member;
    target = entry.adds ? target.value_or(0) + *count : *count;
    health.any = true;
    return;
  }
  for (const FlagKey& entry : kFlags) {
    if (entry.key != key) continue;
    if (const auto flag = flag_of(*value)) {
      health.*entry.member = (health.*entry.member).value_or(false) || *flag;
      health.any = true;
    }
    return;
  }
  for (const TextKey& entry : kTexts) {
    if (entry.key != key) continue;
    health.*entry.member = std::string(*value);
    health.any = true;
    return;
  }
}

std::vector<Field> health_fields(const GpuSample& gpu, const GpuHealth& h) {
  return {{"line", int_value(gpu.place.line)},
          {"byte_offset", int_value(gpu.place.byte_offset)},
          {"gpu_index", optional_value(gpu.index)},
          {"uuid", text_or_null(gpu.uuid)},
          {"pci_bus", text_or_null(gpu.pci_bus)},
          {"time_raw_us", optional_value(gpu.time_us)},
          {"ecc_uncorrected_total", optional_value(h.ecc_uncorrected_total)},
          {"ecc_corrected_total", optional_value(h.ecc_corrected_total)},
          {"remapped_correctable", optional_value(h.remapped_correctable)},
          {"remapped_uncorrectable", optional_value(h.remapped_uncorrectable)},
          {"remap_pending", flag_value(h.remap_pending)},
          {"remap_failed", flag_value(h.remap_failed)},
          {"retired_pages", optional_value(h.retired_pages)},
          {"retired_pending", flag_value(h.retired_pending)},
          {"pcie_gen", optional_value(h.pcie_gen)},
          {"pcie_gen_max", optional_value(h.pcie_gen_max)},
          {"pcie_width", optional_value(h.pcie_width)},
          {"pcie_width_max", optional_value(h.pcie_width_max)},
          {"pcie_replays", optional_value(h.pcie_replays)},
          {"recovery_action", text_or_null(h.recovery_action)},
          {"fabric_state", text_or_null(h.fabric_state)},
          {"fabric_status", text_or_null(h.fabric_status)},
          {"last_xid", optional_value(h.last_xid)}};
}

}  // namespace tfpm
