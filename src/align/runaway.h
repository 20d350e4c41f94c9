// Does a series run away before it stops being finite? (algorithms.md section 5.3)
#pragma once

#include <cstddef>
#include <vector>

namespace tfpm {

// Index of the first value of the runaway that ends at the end of `values` (the finite ones before
// the first that is not, in order); values.size() when there is none. A trend: Mann-Kendall over
// the last 20 beyond z = 2.33 and the mean of the last three above median + 4 MAD of the history;
// or a jump: one of the last three above that and above ten times the median.
std::size_t runaway_start(const std::vector<double>& values);

}  // namespace tfpm
