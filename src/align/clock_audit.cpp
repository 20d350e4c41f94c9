#include "align/clock_audit.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace tfpm {
namespace {

constexpr double kSigmas = 3;
constexpr double kLate = 4;         // scales: a stamp farther from the fit bounds nothing
constexpr double kQuantile = 0.02;  // of the bounds that are left out on either side
constexpr double kContradictory = 0.01;
constexpr double kFine = 5e3, kGood = 100e3, kCoarse = 2e6, kTight = 0.5e6;  // microseconds

double quantile_of(std::vector<double> values, double share) {
  const auto at =
      static_cast<std::size_t>(std::llround(share * static_cast<double>(values.size() - 1)));
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(at);
  std::nth_element(values.begin(), nth, values.end());
  return *nth;
}

class Auditor {
 public:
  Auditor(const std::vector<ClockTrack>& tracks, const ClockSolution& solution,
          const std::vector<bool>& follows)
      : tracks_(tracks), solution_(solution), follows_(follows) {}

  ClockAudit audit(std::size_t t) const {
    ClockAudit out;
    out.worst = t;
    const ClockFit& fit = solution_.fits[t];
    if (fit.rung == ClockRung::kNone) return out;
    std::vector<double> low, high;
    std::vector<std::uint32_t> early;
    const auto& stamps = tracks_[t].stamps;
    for (std::size_t i = 0; i < stamps.size(); ++i) {
      const ClockPart& part = fit.part_of(i);
      const double time = part.to_axis(stamps[i].time_us);
      const std::uint32_t m = stamps[i].moment;
      const double before = axis(m, -1), after = axis(m, 1);
      const double slack = kSigmas * fit.sigma_us + tracks_[t].rounding_us;
      if (time < before - slack) early.push_back(m);
      if (std::fabs(time - axis(m, 0)) > kLate * part.scale_us) continue;
      if (!std::isnan(before)) low.push_back(before - time);
      if (!std::isnan(after)) high.push_back(after - time);
    }
    if (!low.empty() && !high.empty()) {
      out.bounded = true;
      // Either end of a step may be off by its rounding.
      out.low_us = quantile_of(std::move(low), 1 - kQuantile) - tracks_[t].rounding_us;
      out.high_us = quantile_of(std::move(high), kQuantile) + tracks_[t].rounding_us;
    }
    if (!stamps.empty()) {
      out.early_share = static_cast<double>(early.size()) / static_cast<double>(stamps.size());
    }
    if (out.early_share > kContradictory) out.worst = worst_of(t, early);
    return out;
  }

 private:
  // Time of the moment, of the one before or the one behind it; NaN when it is not known.
  double axis(std::uint32_t moment, int step) const {
    const std::int64_t m = std::int64_t{moment} + step;
    const auto later = static_cast<std::size_t>(std::max<std::int64_t>(m, moment));
    const bool chained = step == 0 || (later < follows_.size() && follows_[later]);
    if (m < 0 || static_cast<std::size_t>(m) >= solution_.axis.size() || !chained) {
      return std::nan("");
    }
    return solution_.axis[static_cast<std::size_t>(m)];
  }

  // The track that ended the steps before those moments latest, most often.
  std::size_t worst_of(std::size_t t, const std::vector<std::uint32_t>& early) const {
    std::vector<double> own(solution_.axis.size(), std::nan(""));
    const auto& stamps = tracks_[t].stamps;
    for (std::size_t i = 0; i < stamps.size(); ++i) {
      const std::uint32_t m = stamps[i].moment;
      if (!std::binary_search(early.begin(), early.end(), m)) continue;
      own[m] = solution_.fits[t].part_of(i).to_axis(stamps[i].time_us);
    }
    std::size_t worst = t, most = 0;
    for (std::size_t v = 0; v < tracks_.size(); ++v) {
      if (v == t || solution_.fits[v].rung == ClockRung::kNone) continue;
      std::size_t count = 0;
      for (std::size_t i = 0; i < tracks_[v].stamps.size(); ++i) {
        const std::size_t next = tracks_[v].stamps[i].moment + 1U;
        if (next >= own.size() || std::isnan(own[next])) continue;
        if (solution_.fits[v].part_of(i).to_axis(tracks_[v].stamps[i].time_us) > own[next]) ++count;
      }
      if (count <= most) continue;
      most = count;
      worst = v;
    }
    return worst;
  }

  const std::vector<ClockTrack>& tracks_;
  const ClockSolution& solution_;
  const std::vector<bool>& follows_;
};

char worse(char quality) {
  return quality == 'D' ? 'D' : static_cast<char>(quality + 1);
}

}  // namespace

std::vector<ClockAudit> audit_clocks(const std::vector<ClockTrack>& tracks,
                                     const ClockSolution& solution,
                                     const std::vector<bool>& follows, unsigned threads) {
  const Auditor auditor(tracks, solution, follows);
  std::vector<ClockAudit> out(tracks.size());
  parallel_for(tracks.size(), threads, [&](std::size_t t) { out[t] = auditor.audit(t); });
  return out;
}

char clock_class(const ClockFit& fit, const ClockAudit& audit) {
  if (fit.rung == ClockRung::kNone) return 'D';
  char quality = 'D';
  const bool tight = audit.bounded && audit.high_us - audit.low_us <= 2 * kTight;
  if (fit.sigma_us <= kCoarse) quality = 'C';
  if (fit.rung != ClockRung::kOffset && fit.sigma_us <= kGood) {
    quality = fit.sigma_us <= kFine && tight ? 'A' : 'B';
  }
  return audit.early_share > kContradictory ? worse(quality) : quality;
}

}  // namespace tfpm
