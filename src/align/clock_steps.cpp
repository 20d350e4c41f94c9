#include "align/clock_steps.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "align/robust_line.h"

namespace tfpm {
namespace {

constexpr double kSupF = 30;
constexpr std::size_t kMinPart = 6;
constexpr std::size_t kMaxParts = 8;
constexpr std::size_t kWindow = 9;  // of the running median that shows late lines
constexpr double kLate = 4;         // scales
constexpr double kRoundingShare = 0.75;
// Smaller jumps are beneath the best class of clocks (section 2.6) and may be habits of the loop.
constexpr double kLeastJumpUs = 5e3;
constexpr std::size_t kNear = 25;  // lines on either side of a cut that are looked at again
constexpr double kStrays = 0.2;    // share of them that may stand at the other side's level
constexpr double kScatter = 0.25;  // of the jump: median distance of a side's lines from its level

// Sums of a run of points, to fit lines of any part in constant time.
struct Moments {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  Moments operator-(const Moments& o) const {
    return {n - o.n, x - o.x, y - o.y, xx - o.xx, xy - o.xy, yy - o.yy};
  }
  double sxx() const { return xx - x * x / n; }
  double sxy() const { return xy - x * y / n; }
  double syy() const { return yy - y * y / n; }
};

struct Points {
  std::vector<double> x, y;
  std::vector<std::size_t> at;  // index in the caller's series
};

// The points that agree with their neighbours.
Points without_late(const std::vector<double>& x, const std::vector<double>& y, double rounding) {
  const std::size_t n = y.size();
  std::vector<double> off(n), size(n);
  std::array<double, kWindow> window{};
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t from = std::min(i - std::min(i, kWindow / 2), n - std::min(n, kWindow));
    const std::size_t to = std::min(n, from + kWindow);
    const auto end = std::copy(y.begin() + static_cast<std::ptrdiff_t>(from),
                               y.begin() + static_cast<std::ptrdiff_t>(to), window.begin());
    const auto middle = window.begin() + (end - window.begin()) / 2;
    std::nth_element(window.begin(), middle, end);
    off[i] = y[i] - *middle;
    size[i] = std::fabs(off[i]);
  }
  const double limit = kLate * std::max({1.4826 * median_of(size), 0.6 * rounding, 1.0});
  Points out;
  for (std::size_t i = 0; i < n; ++i) {
    if (size[i] > limit) continue;
    out.x.push_back(x[i]);
    out.y.push_back(y[i]);
    out.at.push_back(i);
  }
  return out;
}

struct Split {
  std::size_t at = 0;
  double f = 0;
  double jump = 0;
  double slope = 0;
};

// The split whose jump explains most beyond a line.
Split best_split(const Points& p, std::size_t from, std::size_t to) {
  Split best;
  if (to - from < 2 * kMinPart) return best;
  const double x0 = p.x[from], y0 = p.y[from];  // differences keep the digits
  std::vector<Moments> sums(to - from + 1);
  for (std::size_t i = from; i < to; ++i) {
    const double x = p.x[i] - x0, y = p.y[i] - y0;
    const Moments& s = sums[i - from];
    sums[i - from + 1] = {s.n + 1, s.x + x, s.y + y, s.xx + x * x, s.xy + x * y, s.yy + y * y};
  }
  const Moments& all = sums.back();
  const double one_line = all.sxx() > 0 ? all.syy() - all.sxy() * all.sxy() / all.sxx() : all.syy();
  for (std::size_t cut = kMinPart; cut + kMinPart <= sums.size() - 1; ++cut) {
    const Moments left = sums[cut], right = all - left;
    const double sxx = left.sxx() + right.sxx(), sxy = left.sxy() + right.sxy();
    const double slope = sxx > 0 ? sxy / sxx : 0;
    const double rest = std::max(left.syy() + right.syy() - slope * sxy, 0.0);
    const double f = (one_line - rest) / std::max(rest / (all.n - 3), 1e-6);
    if (f <= best.f) continue;
    best.f = f;
    best.at = from + cut;
    best.slope = slope;
    best.jump =
        (right.y / right.n - left.y / left.n) - slope * (right.x / right.n - left.x / left.n);
  }
  return best;
}

// Searches parts of a series for cuts, the clearest first.
class Cutter {
 public:
  Cutter(const std::vector<double>& x, const std::vector<double>& y, const Points& kept,
         double least)
      : x_(x), y_(y), kept_(kept), least_(least) {}

  void split(std::size_t from, std::size_t to) {
    if (cuts_.size() + 1 >= kMaxParts) return;
    const Split best = best_split(kept_, from, to);
    if (best.f < kSupF || std::fabs(best.jump) < least_) return;
    const std::size_t before = best.at - std::min(best.at - from, kNear);
    const std::size_t behind = std::min(to, best.at + kNear);
    const Side left = side(before, best.at, best.slope);
    const Side right = side(best.at, behind, best.slope);
    if (!stands(left, right.level, best.slope) || !stands(right, left.level, best.slope)) return;
    cuts_.push_back(place(left, right, best.slope));
    split(from, best.at);
    split(best.at, to);
  }

  std::vector<std::size_t> cuts() && {
    std::sort(cuts_.begin(), cuts_.end());
    return std::move(cuts_);
  }

 private:
  // Lines on one side of a cut, dropped ones included, and the level of those that were kept.
  struct Side {
    std::size_t from = 0, to = 0;
    double level = 0;
  };

  double flat(std::size_t i, double slope) const { return y_[i] - slope * (x_[i] - x_[0]); }

  Side side(std::size_t from, std::size_t to, double slope) const {
    std::vector<double> levels;
    for (std::size_t i = from; i < to; ++i) levels.push_back(flat(kept_.at[i], slope));
    return {kept_.at[from], kept_.at[to - 1] + 1, median_of(std::move(levels))};
  }

  // A clock that was set moves every line; a burst of late lines leaves others where they were, and
  // is scattered itself.
  bool stands(const Side& side, double other, double slope) const {
    std::size_t strays = 0;
    std::vector<double> off;
    for (std::size_t i = side.from; i < side.to; ++i) {
      const double own = std::fabs(flat(i, slope) - side.level);
      const double away = std::fabs(flat(i, slope) - other);
      if (away < own && away < std::fabs(side.level - other) / 2) ++strays;
      off.push_back(own);
    }
    const auto lines = static_cast<double>(off.size());
    return static_cast<double>(strays) <= kStrays * lines &&
           median_of(std::move(off)) < kScatter * std::fabs(side.level - other);
  }

  // Lines between the sides were dropped as late: the first that stands at the new level begins it.
  std::size_t place(const Side& left, const Side& right, double slope) const {
    for (std::size_t i = left.to; i < right.from; ++i) {
      const double y = flat(i, slope);
      if (std::fabs(y - right.level) < std::fabs(y - left.level)) return i;
    }
    return right.from;
  }

  const std::vector<double>&x_, &y_;
  const Points& kept_;
  double least_;
  std::vector<std::size_t> cuts_;
};

}  // namespace

std::vector<std::size_t> find_clock_steps(const std::vector<double>& x,
                                          const std::vector<double>& y, double rounding) {
  if (y.size() < 2 * kMinPart) return {};
  const Points p = without_late(x, y, rounding);
  Cutter cutter(x, y, p, std::max(kRoundingShare * rounding, kLeastJumpUs));
  cutter.split(0, p.x.size());
  return std::move(cutter).cuts();
}

}  // namespace tfpm
