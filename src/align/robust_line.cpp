#include "align/robust_line.h"

#include <algorithm>
#include <cmath>

namespace tfpm {
namespace {

constexpr double kMadScale = 1.4826;
constexpr double kHuber = 1.345;  // 95 % efficient for normal residuals
constexpr double kReject = 4;     // huber_reject of algorithms.md section 13
constexpr int kRounds = 6;
constexpr double kSettled = 0.01;    // scales
constexpr std::size_t kBlocks = 24;  // for the first guess of the slope

double median_in_place(std::vector<double>& v) {
  if (v.empty()) return 0;
  const auto mid = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  std::nth_element(v.begin(), mid, v.end());
  if (v.size() % 2 != 0) return *mid;
  return (*mid + *std::max_element(v.begin(), mid)) / 2;
}

// Median of the slopes between medians of blocks: blind to a minority of late lines.
double first_slope(const double* x, const double* y, std::size_t n) {
  const std::size_t blocks = std::min(kBlocks, n);
  std::vector<double> bx, by, part, slopes;
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t from = b * n / blocks, to = (b + 1) * n / blocks;
    part.assign(x + from, x + to);
    bx.push_back(median_in_place(part));
    part.assign(y + from, y + to);
    by.push_back(median_in_place(part));
  }
  for (std::size_t i = 0; i < blocks; ++i) {
    for (std::size_t j = i + 1; j < blocks; ++j) {
      if (bx[j] != bx[i]) slopes.push_back((by[j] - by[i]) / (bx[j] - bx[i]));
    }
  }
  return median_in_place(slopes);
}

// Weighted sums of a line fit.
struct Sums {
  double w = 0, x = 0, y = 0, xx = 0, xy = 0;
  std::size_t used = 0;
  void add(double weight, double dx, double value) {
    w += weight;
    x += weight * dx;
    y += weight * value;
    xx += weight * dx * dx;
    xy += weight * dx * value;
    ++used;
  }
  // Slope, and level at dx = 0.
  double slope() const {
    const double spread = xx - x / w * x;
    return spread > 0 ? (xy - x / w * y) / spread : 0;
  }
  double level(double with_slope) const { return (y - with_slope * x) / w; }
};

Sums weighted(const double* x, const double* y, std::size_t n, const RobustLine& line,
              const Spread& spread) {
  Sums s;
  const double most = line.scale > spread.floor ? kReject * line.scale
                                                : std::min(kReject * line.scale, spread.within);
  for (std::size_t i = 0; i < n; ++i) {
    const double r = std::fabs(y[i] - line.at(x[i]));
    if (r > most) continue;
    const double w = r <= kHuber * line.scale ? 1 : kHuber * line.scale / r;
    s.add(w, x[i] - line.centre, y[i]);
  }
  return s;
}

double residual_scale(const double* x, const double* y, std::size_t n, const RobustLine& line,
                      std::vector<double>& scratch) {
  scratch.resize(n);
  for (std::size_t i = 0; i < n; ++i) scratch[i] = std::fabs(y[i] - line.at(x[i]));
  return kMadScale * median_in_place(scratch);
}

}  // namespace

double median_of(std::vector<double> values) {
  return median_in_place(values);
}

RobustLine huber_line(const double* x, const double* y, std::size_t n, const Spread& spread,
                      bool sloped) {
  RobustLine line;
  std::vector<double> scratch(n);
  for (std::size_t i = 0; i < n; ++i) line.centre += x[i] / static_cast<double>(n);
  if (sloped) line.slope = first_slope(x, y, n);
  for (std::size_t i = 0; i < n; ++i) scratch[i] = y[i] - line.slope * (x[i] - line.centre);
  line.level = median_in_place(scratch);
  for (int round = 0; round < kRounds; ++round) {
    line.scale = std::max(spread.floor, residual_scale(x, y, n, line, scratch));
    const Sums s = weighted(x, y, n, line, spread);
    line.used = s.used;
    if (s.used < 2 || s.w <= 0) break;
    const double slope = sloped ? s.slope() : line.slope;
    const double level = s.level(slope);
    const double moved =
        std::fabs(level - line.level) + std::fabs(slope - line.slope) * std::fabs(x[n - 1] - x[0]);
    const bool settled = moved < kSettled * line.scale;
    line.slope = slope;
    line.level = level;
    if (settled) break;
  }
  return line;
}

}  // namespace tfpm
