#include "ingest/log_clock.h"

#include <chrono>
#include <cstdlib>

namespace tfpm {
namespace {

constexpr std::int64_t kDayUs = 86'400'000'000;
// Zones are multiples of a quarter of an hour, at most fourteen hours from UTC.
constexpr std::int64_t kQuarterUs = 900'000'000;
constexpr std::int64_t kMaxQuarters = 56;
constexpr std::int64_t kNearUs = 30'000'000;  // lines that follow each other are this close
constexpr int kAgreed = 3;                    // a pause of a quarter looks like a zone, but once
constexpr std::int64_t kHalfDayUs = kDayUs / 2;

std::int64_t floor_to_day(std::int64_t us) {
  const std::int64_t rest = us % kDayUs;
  return us - (rest < 0 ? rest + kDayUs : rest);
}

int year_of(std::int64_t us) {
  using namespace std::chrono;
  const sys_days day(days(floor_to_day(us) / kDayUs));
  return static_cast<int>(year_month_day(day).year());
}

}  // namespace

std::optional<std::int64_t> LogClock::resolve(const Stamp& stamp) {
  const std::optional<std::int64_t> us = complete(stamp);
  if (!us || !one_process_) return us;
  const bool local = stamp.basis != StampBasis::kEpoch && stamp.basis != StampBasis::kZoned;
  compare(*us, local);
  return local ? *us - zone_us_ : us;
}

void LogClock::compare(std::int64_t us, bool local) {
  if (local && last_ == Last::kUtc) observe(us - last_us_);
  if (!local && last_ == Last::kLocal) observe(last_us_ - us);
  last_ = local ? Last::kLocal : Last::kUtc;
  last_us_ = us;
}

void LogClock::observe(std::int64_t difference_us) {
  const std::int64_t half = difference_us < 0 ? -kQuarterUs / 2 : kQuarterUs / 2;
  const std::int64_t quarters = (difference_us + half) / kQuarterUs;
  const std::int64_t rest = difference_us - quarters * kQuarterUs;
  const bool zone =
      quarters >= -kMaxQuarters && quarters <= kMaxQuarters && rest >= -kNearUs && rest <= kNearUs;
  if (!zone) return;
  agreed_ = quarters == quarters_ ? agreed_ + 1 : 1;
  quarters_ = quarters;
  if (agreed_ >= kAgreed) zone_us_ = quarters * kQuarterUs;
}

// The year before and the year behind are asked, too: lines around New Year are out of order.
std::int64_t LogClock::with_year(const Stamp& stamp) {
  const bool first = year_ == 0;
  const int year = first ? kUnknownYear : year_;
  std::int64_t best = in_year(stamp, year);
  year_ = year;
  for (const int other : {year - 1, year + 1}) {
    const std::int64_t us = in_year(stamp, other);
    if (first || std::abs(us - last_dated_us_) >= std::abs(best - last_dated_us_)) continue;
    best = us;
    year_ = other;
  }
  last_dated_us_ = best;
  return best;
}

std::optional<std::int64_t> LogClock::complete(const Stamp& stamp) {
  switch (stamp.basis) {
    case StampBasis::kNone:
      return std::nullopt;
    case StampBasis::kNoYear: {
      const std::int64_t us = with_year(stamp);
      day_start_us_ = floor_to_day(us);
      return us;
    }
    case StampBasis::kTimeOnly:
      if (last_time_only_us_ - stamp.time_us > kHalfDayUs) day_start_us_ += kDayUs;
      last_time_only_us_ = stamp.time_us;
      return day_start_us_ + stamp.time_us;
    case StampBasis::kLocal:
    case StampBasis::kEpoch:
    case StampBasis::kZoned:
      break;
  }
  const bool same_day = stamp.time_us >= day_start_us_ && stamp.time_us - day_start_us_ < kDayUs;
  const std::int64_t day = same_day ? day_start_us_ : floor_to_day(stamp.time_us);
  if (day != day_start_us_) {
    day_start_us_ = day;
    year_ = year_of(stamp.time_us);
  }
  last_dated_us_ = stamp.time_us;
  last_time_only_us_ = stamp.time_us - day;
  return stamp.time_us;
}

}  // namespace tfpm
