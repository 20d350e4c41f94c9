// Lasting defects of a GPU by the names nvidia-smi gives them, whatever the output form
// (log-formats.md 9.2, 9.3).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "parsers/detail/smi_rows.h"

namespace tfpm {

// Columns of schema `gpu_health`; absent = not reported.
struct GpuHealth {
  std::optional<std::int64_t> ecc_uncorrected_total, ecc_corrected_total;
  std::optional<std::int64_t> remapped_correctable, remapped_uncorrectable;
  std::optional<std::int64_t> retired_pages, pcie_gen, pcie_gen_max, pcie_width, pcie_width_max,
      pcie_replays, last_xid;
  std::optional<bool> remap_pending, remap_failed, retired_pending;
  std::optional<std::string> recovery_action, fabric_state, fabric_status;
  bool any = false;  // something was reported
};

// Takes a value by its path in -q or -q -x (joined by '/') or its field name in a CSV query; names
// that say nothing of health are ignored.
void set_health(GpuHealth& health, std::string_view key, std::string_view value);

// The row of `health` for the GPU that `gpu` describes, `owner` left out; call only if health.any.
std::vector<Field> health_fields(const GpuSample& gpu, const GpuHealth& health);

}  // namespace tfpm
