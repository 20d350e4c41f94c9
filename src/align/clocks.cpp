#include "align/clocks.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "align/clock_audit.h"
#include "align/clock_fit.h"
#include "align/clock_hosts.h"
#include "align/clock_moments.h"
#include "align/robust_line.h"

namespace tfpm {
namespace {

constexpr double kSecond = 1e6;
constexpr double kZoneGrid = 900 * kSecond;  // tz_grid of section 13; zones exist at 30 and 45 min
constexpr double kZoneTolerance = 2 * kSecond;
constexpr double kHour = 3600 * kSecond;
constexpr double kNearHour = 60 * kSecond;
constexpr double kSlewJump = 5e3;
// Lines of the run's life are written within about this of each other.
constexpr double kLifeError = 1 * kSecond;
constexpr double kSigmas = 3;
// Tasks that share a machine and its clock came out up to 6 ms apart in recorded runs.
constexpr double kHabit = 10e3;

const char* rung_name(ClockRung rung) {
  switch (rung) {
    case ClockRung::kNone:
      return "none";
    case ClockRung::kOffset:
      return "offset";
    case ClockRung::kDrift:
      return "drift";
    case ClockRung::kPiecewise:
      return "piecewise";
  }
  return "none";
}

// Three standard errors, what an unknown drift may add, the rounding of the stamps, and a habit of
// the task's loop (to print a little later than its peers) that no number of steps tells.
double stated_error(const ClockFit& fit, double rounding_us) {
  return kSigmas * fit.sigma_us + kHabit + fit.drift_bound_us + rounding_us / 2;
}

// A jump that is an hour, at a full hour of the task's own clock.
bool is_daylight_saving(double jump_us, std::int64_t own_us) {
  if (std::fabs(std::fabs(jump_us) - kHour) > kZoneTolerance) return false;
  const double into = std::fmod(static_cast<double>(own_us), kHour);
  return into < kNearHour || into > kHour - kNearHour;
}

class ClockPass {
 public:
  ClockPass(Model& m, const AlignOptions& options) : m_(m), options_(options) {}

  void run() {
    fit_steps();
    fit_lives();
    declare();
    share_host_clocks(m_);
    shift(gauge());
    for (WorkerInfo& w : m_.workers) finish(w.clock, w.has_log);
  }

 private:
  WorkerInfo& worker(int index) { return m_.workers[static_cast<std::size_t>(index)]; }

  void fit_steps() {
    const SyncMoments moments = step_moments(m_);
    const std::vector<ClockTrack>& tracks = moments.tracks;
    const ClockSolution solution = fit_clock_tracks(tracks, options_.threads);
    const std::vector<ClockAudit> audits =
        audit_clocks(tracks, solution, moments.follows, options_.threads);
    for (std::size_t t = 0; t < tracks.size(); ++t) {
      const ClockFit& fit = solution.fits[t];
      if (fit.rung == ClockRung::kNone) continue;
      WorkerClock& clock = worker(moments.workers[t]).clock;
      set_spans(clock, moments, t, fit);
      clock.rung = rung_name(fit.rung);
      clock.points = static_cast<std::int64_t>(fit.shared);
      clock.error_us = stated_error(fit, tracks[t].rounding_us);
      clock.quality = clock_class(fit, audits[t]);
      clock.early_share = audits[t].early_share;
      if (audits[t].worst != t) clock.worst = moments.workers[audits[t].worst];
      if (!audits[t].bounded) continue;
      // The clock may be moved by low..high towards the reference: its offset shrinks by as much.
      clock.low_us = *clock.offset_us - audits[t].high_us;
      clock.high_us = *clock.offset_us - audits[t].low_us;
    }
  }

  void set_spans(WorkerClock& clock, const SyncMoments& moments, std::size_t t,
                 const ClockFit& fit) const {
    clock.spans.clear();
    for (std::size_t p = 0; p < fit.parts.size(); ++p) {
      const ClockPart& part = fit.parts[p];
      ClockSpan span;
      span.centre_us = moments.origin_us + std::llround(part.centre_us);
      span.offset_us = -part.correction_us;
      span.drift = -part.slope;
      if (p > 0) {
        const double at = moments.tracks[t].stamps[part.first].time_us;
        const MarkerInfo& first = m_.markers[moments.markers[t][part.first]];
        span.from_us = moments.origin_us + std::llround(at);
        span.from_stream = first.stream;
        span.from_seq = first.seq;
        span.jump_us = fit.parts[p - 1].to_axis(at) - part.to_axis(at);
        span.kind = std::fabs(span.jump_us) < kSlewJump               ? "slew"
                    : is_daylight_saving(span.jump_us, *span.from_us) ? "dst"
                                                                      : "step";
      }
      clock.spans.push_back(std::move(span));
    }
    clock.offset_us = clock.spans.back().offset_us;
  }

  // Tasks without steps of their own, by what they log of the run's life. The two fits are tied by
  // the tasks that have both.
  void fit_lives() {
    const bool all = std::all_of(m_.workers.begin(), m_.workers.end(), [](const WorkerInfo& w) {
      return !w.has_log || w.clock.offset_us.has_value();
    });
    if (all) return;
    const SyncMoments moments = life_moments(m_);
    const ClockSolution solution = fit_clock_tracks(moments.tracks, options_.threads);
    std::vector<double> ties;
    for (std::size_t t = 0; t < solution.fits.size(); ++t) {
      const WorkerClock& clock = worker(moments.workers[t]).clock;
      if (solution.fits[t].rung == ClockRung::kNone || !clock.offset_us) continue;
      ties.push_back(-solution.fits[t].parts.back().correction_us - *clock.offset_us);
    }
    const double tie = median_of(std::move(ties));
    for (std::size_t t = 0; t < solution.fits.size(); ++t) {
      const ClockFit& fit = solution.fits[t];
      WorkerClock& clock = worker(moments.workers[t]).clock;
      if (fit.rung == ClockRung::kNone || clock.offset_us) continue;
      clock.spans = {ClockSpan{}};
      clock.spans[0].offset_us = -fit.parts.back().correction_us - tie;
      clock.offset_us = clock.spans[0].offset_us;
      clock.rung = "life";
      clock.points = static_cast<std::int64_t>(fit.shared);
      clock.error_us = kLifeError + stated_error(fit, kSecond);
      clock.quality = *clock.error_us <= 2 * kSigmas * kSecond ? "C" : "D";
    }
  }

  // What the manifest says of a worker's clock, in microseconds.
  std::optional<double> declared(const WorkerInfo& w) const {
    for (const int s : w.streams) {
      const auto it = options_.declared.find(m_.streams[static_cast<std::size_t>(s)].path);
      if (it != options_.declared.end() && it->second.utc_offset_s) {
        return *it->second.utc_offset_s * kSecond;
      }
    }
    return std::nullopt;
  }

  // A declared clock that nothing else tells of; right only against other declared ones.
  void declare() {
    const std::optional<double> tie = declared_shift();
    for (WorkerInfo& w : m_.workers) {
      const std::optional<double> said = declared(w);
      if (!said || w.clock.offset_us) continue;
      w.clock.spans = {ClockSpan{}};
      w.clock.spans[0].offset_us = *said + tie.value_or(0);
      w.clock.offset_us = w.clock.spans[0].offset_us;
      w.clock.rung = "declared";
      w.clock.error_us = kLifeError;
      w.clock.quality = "C";
    }
  }

  // How far the fitted clocks are from what is declared of them.
  std::optional<double> declared_shift() const {
    std::vector<double> shifts;
    for (const WorkerInfo& w : m_.workers) {
      const std::optional<double> said = declared(w);
      if (said && w.clock.offset_us) shifts.push_back(*w.clock.offset_us - *said);
    }
    if (shifts.empty()) return std::nullopt;
    return median_of(std::move(shifts));
  }

  double gauge() const {
    if (const std::optional<double> shift = declared_shift()) return *shift;
    for (const WorkerInfo& w : m_.workers) {
      if (w.leader && w.clock.offset_us) return *w.clock.offset_us;
    }
    return 0;
  }

  void shift(double by) {
    for (WorkerInfo& w : m_.workers) {
      for (std::optional<double>* v : {&w.clock.offset_us, &w.clock.low_us, &w.clock.high_us}) {
        if (*v) **v -= by;
      }
      for (ClockSpan& s : w.clock.spans) s.offset_us -= by;
    }
  }

  // Zones are told from offsets that are multiples of a quarter of an hour.
  static void finish(WorkerClock& clock, bool has_log) {
    if (clock.quality.empty() && has_log) clock.quality = "D";
    if (!clock.offset_us) return;
    const double quarters = std::round(*clock.offset_us / kZoneGrid);
    const double rest = std::fabs(*clock.offset_us - quarters * kZoneGrid);
    if (std::fabs(quarters) >= 2 && rest <= std::max(kZoneTolerance, clock.error_us.value_or(0))) {
      clock.zone_s = static_cast<std::int64_t>(quarters * kZoneGrid / kSecond);
    }
  }

  Model& m_;
  const AlignOptions& options_;
};

}  // namespace

void fit_clocks(Model& m, const AlignOptions& options) {
  ClockPass(m, options).run();
}

}  // namespace tfpm
