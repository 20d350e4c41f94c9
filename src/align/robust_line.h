// Straight lines through clock differences, some of which are late lines (algorithms.md
// section 2.3).
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace tfpm {

// y = level + slope * (x - centre).
struct RobustLine {
  double centre = 0, level = 0, slope = 0;
  double scale = 0;      // residuals: 1.4826 x their median size, not below the floor given
  std::size_t used = 0;  // points within 4 scales
  double at(double x) const { return level + slope * (x - centre); }
};

// Median of a copy; 0 of nothing. Of an even number the mean of the two in the middle.
double median_of(std::vector<double> values);

// How residuals spread that are no errors.
struct Spread {
  double floor = 0;  // of the scale: rounded stamps have residuals of their rounding at least
  // While the scale is at its floor, what lies further is late and not rounded.
  double within = std::numeric_limits<double>::infinity();
};

// Huber's M-estimate by reweighting; points beyond four scales are left out. With `sloped` false
// the slope stays 0. x and y have the same size, not 0; x need not be sorted.
RobustLine huber_line(const double* x, const double* y, std::size_t n, const Spread& spread,
                      bool sloped);

}  // namespace tfpm
