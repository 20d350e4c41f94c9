// What a marker line measures: its loss, the step's own time, the epoch (algorithms.md section 1.9,
// rules 6 and 8).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "align/marker_family.h"

namespace tfpm {

// Slots of one template; absent = the line does not say.
struct LineMetrics {
  std::optional<std::size_t> loss;
  bool loss_sure = false;  // a loss word names it
  std::optional<std::size_t> step_time;
  double step_time_unit = 1;  // seconds per unit as printed
  std::optional<std::size_t> epoch;
};

// `counting` is the slot that counts, kNoSlot for a line that only measures.
inline constexpr std::size_t kNoSlot = static_cast<std::size_t>(-1);
LineMetrics find_metrics(const TemplateSeries& series, const std::vector<SlotName>& names,
                         std::size_t counting);

// Value of a slot at a point, constant or not.
double value_at(const Slot& slot, std::size_t row);

// A template that prints the loss on a line of its own, once between any two markers.
struct SecondPrinter {
  std::size_t series = 0;
  LineMetrics metrics;
  bool marker_first = false;  // the marker opens the step and this line completes it
};
std::optional<SecondPrinter> find_second_printer(const NamedStream& stream, const Family& family);

}  // namespace tfpm
