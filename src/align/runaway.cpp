#include "align/runaway.h"

#include <algorithm>
#include <cmath>

namespace tfpm {
namespace {

constexpr std::size_t kWindow = 20;  // nan_W
constexpr double kTrendZ = 2.33;     // nan_mk
constexpr double kJump = 10;         // nan_jump
constexpr double kMads = 4;
constexpr double kMadScale = 1.4826;

double median(std::vector<double> v) {
  const auto mid = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  std::nth_element(v.begin(), mid, v.end());
  return *mid;
}

double mad(const std::vector<double>& v, double center) {
  std::vector<double> d;
  d.reserve(v.size());
  for (const double x : v) d.push_back(std::fabs(x - center));
  return kMadScale * median(std::move(d));
}

// Mann-Kendall: is there a rising trend?
double mann_kendall_z(const std::vector<double>& v) {
  const auto n = static_cast<double>(v.size());
  double s = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    for (std::size_t j = i + 1; j < v.size(); ++j) s += v[j] > v[i] ? 1 : v[j] < v[i] ? -1 : 0;
  }
  const double variance = n * (n - 1) * (2 * n + 5) / 18;
  if (variance <= 0 || s == 0) return 0;
  return (s > 0 ? s - 1 : s + 1) / std::sqrt(variance);
}

}  // namespace

std::size_t runaway_start(const std::vector<double>& values) {
  const std::size_t end = values.size();
  if (end < 4) return end;
  // The history must not hold the runaway itself: leave the last three out.
  const std::vector<double> history(values.begin(), values.end() - 3);
  const double center = median(history);
  const double limit = center + kMads * mad(history, center);
  const bool jump = std::any_of(values.end() - 3, values.end(), [&](double x) {
    return x > limit && x > kJump * std::fabs(center);
  });
  const std::size_t from = end > kWindow ? end - kWindow : 0;
  const std::vector<double> window(values.begin() + static_cast<std::ptrdiff_t>(from),
                                   values.end());
  const double last3 = (values[end - 1] + values[end - 2] + values[end - 3]) / 3;
  const bool trend = mann_kendall_z(window) > kTrendZ && last3 > limit;
  if (!jump && !trend) return end;
  std::size_t start = end;
  while (start > 0 && values[start - 1] > limit) --start;
  return start;
}

}  // namespace tfpm
