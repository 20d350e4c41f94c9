// Counters of other units turned into steps by what was saved under a step's number (algorithms.md
// section 1.9, rule 7).
#pragma once

#include <optional>
#include <vector>

#include "align/marker_steps.h"

namespace tfpm {

// Units per step as the "Saved ...-K" lines of all streams tell: the last value before such a line
// divided by K, equal for most of them and seen with two different K at least.
class StepAnchor {
 public:
  // Markers of one stream, numbered in the unit.
  void add(const NamedStream& stream, const std::vector<MarkerRow>& rows);
  // Absent when the lines contradict each other, are too few or count the same unit.
  std::optional<double> units_per_step() const;

 private:
  struct Sample {
    double saved = 0;  // K
    double ratio = 0;
  };
  std::vector<Sample> samples_;
};

}  // namespace tfpm
