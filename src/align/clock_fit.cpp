#include "align/clock_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "align/clock_steps.h"
#include "align/robust_line.h"
#include "base/parallel.h"

namespace tfpm {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr int kSweeps = 3;
constexpr std::size_t kLineMinPoints = 5;  // line_min_points of section 13
constexpr double kLineMinSpanUs = 30e6;
// Few moments and lines this late: a slope would follow the late lines (section 2.7).
constexpr std::size_t kFewPoints = 50;
constexpr double kWildScaleUs = 0.2e6;
// No clock that is not being set runs faster: the line has followed something else.
constexpr double kWildSlope = 5e-4;
constexpr double kRoundingScale = 0.6;
// Half of a rounding is the stamp's own, the rest the axis's.
constexpr double kRoundingReach = 0.7;
constexpr std::size_t kJury = 9;    // tracks that are compared to find a first reference
constexpr double kCoarseUs = 50e3;  // stamps rounded to this and more

class Solver {
 public:
  Solver(const std::vector<ClockTrack>& tracks, unsigned threads)
      : tracks_(tracks), threads_(threads) {
    out_.fits.resize(tracks.size());
    cuts_.resize(tracks.size());
    std::size_t moments = 0;
    for (const ClockTrack& t : tracks) {
      rounding_us_ = std::max(rounding_us_, t.rounding_us);
      for (const SyncStamp& s : t.stamps) moments = std::max<std::size_t>(moments, s.moment + 1U);
    }
    out_.axis.assign(moments, kUnknown);
    begin_.assign(moments + 1, 0);
    for (const ClockTrack& t : tracks) {
      for (const SyncStamp& s : t.stamps) ++begin_[s.moment + 1U];
    }
    for (std::size_t m = 0; m < moments; ++m) begin_[m + 1] += begin_[m];
    values_.resize(begin_.back());
  }

  ClockSolution run() {
    place_all();
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      find_axis();
      parallel_for(tracks_.size(), threads_, [&](std::size_t t) { fit(t, sweep); });
    }
    find_axis();
    return std::move(out_);
  }

 private:
  const ClockFit& fit_of(std::size_t t) const { return out_.fits[t]; }
  bool placed(std::size_t t) const { return out_.fits[t].rung != ClockRung::kNone; }

  // First corrections: from the clock with the most stamps outwards, each by the median of its
  // differences to what is known already.
  void place_all() {
    if (tracks_.empty()) return;
    place(find_seed(), 0);
    for (bool more = true; more;) {
      more = false;
      for (std::size_t t = 0; t < tracks_.size(); ++t) {
        if (placed(t)) continue;
        std::vector<double> differences;
        for (const SyncStamp& s : tracks_[t].stamps) {
          const double known = out_.axis[s.moment];
          if (!std::isnan(known)) differences.push_back(known - s.time_us);
        }
        if (differences.empty()) continue;
        place(t, median_of(std::move(differences)));
        more = true;
      }
    }
  }

  // Of the tracks with most stamps the one that agrees best with the others: a clock that was set
  // while the job ran would split them into two camps.
  std::size_t find_seed() const {
    std::vector<std::size_t> order(tracks_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return tracks_[a].stamps.size() > tracks_[b].stamps.size();
    });
    order.resize(std::min(order.size(), kJury));
    std::size_t best = order[0];
    double least = std::numeric_limits<double>::infinity();
    for (const std::size_t t : order) {
      std::vector<double> spreads;
      for (const std::size_t other : order) {
        if (other != t) spreads.push_back(spread_between(t, other));
      }
      const double spread = median_of(std::move(spreads));
      if (spread >= least) continue;
      least = spread;
      best = t;
    }
    return best;
  }

  // Median distance of the differences of two tracks from their median.
  double spread_between(std::size_t a, std::size_t b) const {
    std::vector<double> times(out_.axis.size(), kUnknown);
    for (const SyncStamp& s : tracks_[a].stamps) times[s.moment] = s.time_us;
    std::vector<double> differences;
    for (const SyncStamp& s : tracks_[b].stamps) {
      if (!std::isnan(times[s.moment])) differences.push_back(times[s.moment] - s.time_us);
    }
    if (differences.empty()) return std::numeric_limits<double>::infinity();
    const double middle = median_of(differences);
    for (double& d : differences) d = std::fabs(d - middle);
    return median_of(std::move(differences));
  }

  void place(std::size_t t, double correction) {
    ClockFit& fit = out_.fits[t];
    fit.rung = ClockRung::kOffset;
    fit.parts = {ClockPart{}};
    fit.parts[0].correction_us = correction;
    for (const SyncStamp& s : tracks_[t].stamps) {
      double& axis = out_.axis[s.moment];
      if (std::isnan(axis)) axis = s.time_us + correction;
    }
  }

  // Median over the clocks at every moment that at least two saw.
  void find_axis() {
    std::vector<std::size_t> at(begin_.begin(), begin_.end() - 1);
    for (std::size_t t = 0; t < tracks_.size(); ++t) {
      if (!placed(t)) continue;
      const ClockFit& fit = fit_of(t);
      std::size_t part = 0;
      const auto& stamps = tracks_[t].stamps;
      for (std::size_t i = 0; i < stamps.size(); ++i) {
        while (part + 1 < fit.parts.size() && fit.parts[part + 1].first <= i) ++part;
        values_[at[stamps[i].moment]++] = fit.parts[part].to_axis(stamps[i].time_us);
      }
    }
    parallel_for(out_.axis.size(), threads_,
                 [&](std::size_t m) { out_.axis[m] = middle(begin_[m], at[m]); });
  }

  double middle(std::size_t from, std::size_t to) {
    const std::size_t n = to - from;
    if (n < 2) return kUnknown;
    // Two have no majority: the earlier track leads, so that the other's jump stays its own.
    if (n == 2) return values_[from];
    const auto first = values_.begin() + static_cast<std::ptrdiff_t>(from);
    const auto mid = first + static_cast<std::ptrdiff_t>(n / 2);
    std::nth_element(first, mid, first + static_cast<std::ptrdiff_t>(n));
    const double median = n % 2 != 0 ? *mid : (*mid + *std::max_element(first, mid)) / 2;
    return rounding_us_ < kCoarseUs ? median : mean_near(first, n, median);
  }

  // Rounded stamps are even over their rounding: there the mean is worth several medians.
  double mean_near(std::vector<double>::const_iterator first, std::size_t n, double median) const {
    double sum = 0;
    std::size_t near = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double value = first[static_cast<std::ptrdiff_t>(i)];
      if (std::fabs(value - median) > rounding_us_) continue;
      sum += value;
      ++near;
    }
    return sum / static_cast<double>(near);
  }

  // Shared stamps of a track: position, own time, difference to the axis.
  struct Shared {
    std::vector<std::size_t> at;
    std::vector<double> time, axis, difference;
  };

  Shared shared_of(std::size_t t) const {
    Shared s;
    const auto& stamps = tracks_[t].stamps;
    for (std::size_t i = 0; i < stamps.size(); ++i) {
      const double axis = out_.axis[stamps[i].moment];
      if (std::isnan(axis)) continue;
      s.at.push_back(i);
      s.time.push_back(stamps[i].time_us);
      s.axis.push_back(axis);
      s.difference.push_back(axis - stamps[i].time_us);
    }
    return s;
  }

  Spread spread_of(std::size_t t) const {
    const double rounding = tracks_[t].rounding_us;
    Spread spread;
    spread.floor = std::max(kRoundingScale * rounding, 1.0);
    if (rounding >= kCoarseUs) spread.within = kRoundingReach * rounding;
    return spread;
  }

  ClockPart fit_part(std::size_t t, const Shared& s, std::size_t from, std::size_t to) const {
    const std::size_t n = to - from;
    const double* x = s.time.data() + from;
    const double* y = s.difference.data() + from;
    const bool long_enough = n >= kLineMinPoints && s.axis[to - 1] - s.axis[from] >= kLineMinSpanUs;
    RobustLine line = huber_line(x, y, n, spread_of(t), long_enough);
    const bool wild =
        (n < kFewPoints && line.scale > kWildScaleUs) || std::fabs(line.slope) > kWildSlope;
    const bool sloped = long_enough && !wild;
    if (long_enough && wild) line = huber_line(x, y, n, spread_of(t), false);
    ClockPart part;
    part.centre_us = line.centre;
    part.correction_us = line.level;
    part.slope = line.slope;
    part.scale_us = line.scale;
    part.used = line.used;
    part.sloped = sloped;
    return part;
  }

  void fit(std::size_t t, int sweep) {
    if (!placed(t)) return;
    const Shared s = shared_of(t);
    ClockFit& fit = out_.fits[t];
    fit.shared = s.at.size();
    if (s.at.empty()) {
      fit.rung = ClockRung::kNone;
      return;
    }
    // What the first sweep cuts the second keeps: the axis hardly moves between them.
    std::vector<std::size_t>& cuts = cuts_[t];
    if (sweep != 1) {
      cuts = find_clock_steps(s.axis, s.difference, tracks_[t].rounding_us);
      cuts.insert(cuts.begin(), 0);
      cuts.push_back(s.at.size());
    }
    fit.parts.clear();
    for (std::size_t c = 0; c + 1 < cuts.size(); ++c) {
      ClockPart part = fit_part(t, s, cuts[c], cuts[c + 1]);
      part.first = c == 0 ? 0 : s.at[cuts[c]];
      fit.parts.push_back(part);
    }
    if (sweep + 1 == kSweeps) state(fit, s, cuts);
  }

  // The rung reached and what it leaves uncertain.
  static void state(ClockFit& fit, const Shared& s, const std::vector<std::size_t>& cuts) {
    fit.sigma_us = fit.drift_bound_us = 0;
    bool sloped = true;
    for (std::size_t p = 0; p < fit.parts.size(); ++p) {
      const ClockPart& part = fit.parts[p];
      const auto n = static_cast<double>(std::max<std::size_t>(part.used, 1));
      fit.sigma_us = std::max(fit.sigma_us, 1.25 * part.scale_us / std::sqrt(n));
      if (part.sloped) continue;
      sloped = false;
      const double span = s.axis[cuts[p + 1] - 1] - s.axis[cuts[p]];
      fit.drift_bound_us = std::max(fit.drift_bound_us, kDriftCap * span / 2);
    }
    fit.rung = fit.parts.size() > 1 ? ClockRung::kPiecewise
               : sloped             ? ClockRung::kDrift
                                    : ClockRung::kOffset;
  }

  const std::vector<ClockTrack>& tracks_;
  unsigned threads_;
  ClockSolution out_;
  double rounding_us_ = 0;                      // of the coarsest clock
  std::vector<std::vector<std::size_t>> cuts_;  // per track: parts among its shared stamps
  std::vector<std::size_t> begin_;              // per moment: where its values stand in values_
  std::vector<double> values_;
};

}  // namespace

const ClockPart& ClockFit::part_of(std::size_t stamp) const {
  std::size_t part = 0;
  while (part + 1 < parts.size() && parts[part + 1].first <= stamp) ++part;
  return parts[part];
}

ClockSolution fit_clock_tracks(const std::vector<ClockTrack>& tracks, unsigned threads) {
  return Solver(tracks, threads).run();
}

}  // namespace tfpm
