// Which epoch each point of a family belongs to (algorithms.md section 1.9, rule 6).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "align/marker_family.h"
#include "align/marker_metrics.h"

namespace tfpm {

struct EpochLabels {
  // One per point: as printed, NaN where nothing says so. Empty when no label exists at all.
  std::vector<double> printed;
  // One per point: how often the counter had started again in this attempt before it.
  std::vector<double> counted;
};

EpochLabels label_epochs(const NamedStream& stream, const Family& family,
                         const std::vector<LineMetrics>& metrics);

// Steps per epoch of a counter that starts again: the total behind it, else its top when every
// value is printed; nullopt when neither tells.
std::optional<double> epoch_period(const Family& family);

// The step each attempt was restored from, by attempt; NaN = nothing restored.
std::vector<double> restored_steps(const NamedStream& stream, const Family& family);

}  // namespace tfpm
