// Where a clock was set while the job ran (algorithms.md section 2.5).
#pragma once

#include <cstddef>
#include <vector>

namespace tfpm {

// Cuts of the series y(x), ascending: a clock that jumps between points i-1 and i gives i. All in
// microseconds; x does not descend. Late lines (points far from their neighbours) cut nothing.
// `rounding` is the resolution of the stamps behind y: smaller jumps cannot be seen.
// At most 7 cuts, every part keeps 6 points at least.
std::vector<std::size_t> find_clock_steps(const std::vector<double>& x,
                                          const std::vector<double>& y, double rounding);

}  // namespace tfpm
