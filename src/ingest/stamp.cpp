#include "ingest/stamp.h"

#include <array>

#include "ingest/bytes.h"

namespace tfpm {
namespace {

constexpr std::int64_t kMicros = 1'000'000;
constexpr std::int64_t kDaySeconds = 86'400;
// Days before each month of a leap year, so that `0229` has a place.
constexpr std::array<int, 12> kDaysBefore = {0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335};
constexpr Pattern8 kClockForm("00:00:00");
constexpr Pattern8 kDashedDate("0000-00-");
constexpr Pattern8 kSlashedDate("0000/00/");
constexpr int kLeapMarch = 60;  // first of March in a leap year

constexpr bool is_leap(int year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

// Microseconds of a fraction behind its point, and the number of digits it has (0 = none).
struct Fraction {
  std::int64_t micros = 0;
  std::size_t length = 0;
};

Fraction parse_fraction(std::string_view text) {
  Fraction out;
  std::int64_t scale = 100'000;
  while (out.length < text.size() && is_digit(text[out.length]) && out.length < 9) {
    out.micros += digit_value(text[out.length]) * scale;
    scale /= 10;
    ++out.length;
  }
  return out;
}

// Seconds since midnight of `HH:MM:SS`, -1 when it is none.
std::int64_t clock_seconds(std::string_view text) {
  if (text.size() < 8 || !matches8(text.data(), kClockForm)) return -1;
  const int hour = two_digits(text.data());
  const int minute = two_digits(text.data() + 3);
  const int second = two_digits(text.data() + 6);
  if (hour > 23 || minute > 59 || second > 60) return -1;
  return hour * 3600 + minute * 60 + second;
}

struct Clock {
  std::int64_t micros = 0;  // since midnight
  std::size_t length = 0;   // 0 = no clock
};

// `HH:MM:SS` with an optional fraction behind `.` or `,`.
Clock parse_clock(std::string_view text) {
  const std::int64_t seconds = clock_seconds(text);
  if (seconds < 0) return {};
  Clock out{seconds * kMicros, 8};
  if (text.size() > 9 && (text[8] == '.' || text[8] == ',')) {
    const Fraction fraction = parse_fraction(text.substr(9));
    if (fraction.length > 0) {
      out.micros += fraction.micros;
      out.length = 9 + fraction.length;
    }
  }
  return out;
}

struct Zone {
  std::int64_t offset_s = 0;
  std::size_t length = 0;  // 0 = no zone
};

// `Z`, `+00:00`, `+0000` or ` +0000`.
Zone parse_zone(std::string_view text) {
  if (text.empty()) return {};
  if (text[0] == 'Z') return {0, 1};
  const std::size_t blank = text[0] == ' ' ? 1 : 0;
  text.remove_prefix(blank);
  if (text.size() < 5 || (text[0] != '+' && text[0] != '-')) return {};
  const bool colon = text[3] == ':';
  const std::size_t minutes_at = colon ? 4 : 3;
  if (text.size() < minutes_at + 2) return {};
  if (count_digits(text.substr(1, 2)) != 2 || count_digits(text.substr(minutes_at, 2)) != 2) {
    return {};
  }
  const std::int64_t offset =
      two_digits(text.data() + 1) * 3600 + two_digits(text.data() + minutes_at) * 60;
  const std::size_t length = minutes_at + 2;
  if (length < text.size() && is_digit(text[length])) return {};  // a number, not a zone
  return {text[0] == '-' ? -offset : offset, blank + length};
}

// Month 1..12 of an English three-letter name, 0 for anything else.
int month_of(std::string_view text) {
  constexpr std::string_view kNames = "JanFebMarAprMayJunJulAugSepOctNovDec";
  if (text.size() < 3) return 0;
  for (std::size_t i = 0; i < kNames.size(); i += 3) {
    if (text.compare(0, 3, kNames.substr(i, 3)) == 0) return static_cast<int>(i / 3) + 1;
  }
  return 0;
}

std::int64_t micros_of(std::int64_t days, const Clock& clock) {
  return days * kDaySeconds * kMicros + clock.micros;
}

// `Mar  5 `: month and day as offset in a leap year; -1 when it is none.
int month_day(std::string_view text) {
  const int month = month_of(text);
  if (month == 0 || text.size() < 7 || text[3] != ' ' || text[6] != ' ') return -1;
  if (!is_digit(text[5]) || (text[4] != ' ' && !is_digit(text[4]))) return -1;
  const int day = (text[4] == ' ' ? 0 : digit_value(text[4]) * 10) + digit_value(text[5]);
  if (day < 1 || day > 31) return -1;
  return kDaysBefore[static_cast<std::size_t>(month - 1)] + day - 1;
}

}  // namespace

std::int64_t days_from_civil(int year, int month, int day) {
  const std::int64_t before = year - 1;
  const std::int64_t days = before * 365 + before / 4 - before / 100 + before / 400 - 719'162;
  int in_year = kDaysBefore[static_cast<std::size_t>(month - 1)] + day - 1;
  if (month > 2 && !is_leap(year)) --in_year;
  return days + in_year;
}

std::int64_t in_year(const Stamp& stamp, int year) {
  if (stamp.basis != StampBasis::kNoYear) return stamp.time_us;
  const bool shifted = stamp.time_us >= kLeapMarch * kDaySeconds * kMicros && !is_leap(year);
  const std::int64_t days = days_from_civil(year, 1, 1) - (shifted ? 1 : 0);
  return days * kDaySeconds * kMicros + stamp.time_us;
}

StampMatch parse_iso_stamp(std::string_view text) {
  if (text.size() < 19 || !is_digit(text[8]) || !is_digit(text[9])) return {};
  const char* p = text.data();
  if (!matches8(p, kDashedDate) && !matches8(p, kSlashedDate)) return {};
  if (p[10] != ' ' && p[10] != 'T' && p[10] != 't') return {};
  const int year = two_digits(p) * 100 + two_digits(p + 2);
  const int month = two_digits(p + 5);
  const int day = two_digits(p + 8);
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > 31) return {};
  const Clock clock = parse_clock(text.substr(11));
  if (clock.length == 0) return {};
  StampMatch out;
  out.stamp = {micros_of(days_from_civil(year, month, day), clock), StampBasis::kLocal};
  out.length = 11 + clock.length;
  const Zone zone = parse_zone(text.substr(out.length));
  if (zone.length != 0) {
    out.stamp.time_us -= zone.offset_s * kMicros;
    out.stamp.basis = StampBasis::kZoned;
    out.length += zone.length;
  }
  return out;
}

StampMatch parse_short_date_stamp(std::string_view text) {
  if (text.size() < 17 || text[2] != '/' || text[5] != '/' || text[8] != ' ') return {};
  for (const std::size_t at : {0U, 3U, 6U}) {
    if (count_digits(text.substr(at, 2)) != 2) return {};
  }
  const int month = two_digits(text.data() + 3);
  const int day = two_digits(text.data() + 6);
  if (month < 1 || month > 12 || day < 1 || day > 31) return {};
  const Clock clock = parse_clock(text.substr(9));
  if (clock.length == 0) return {};
  const std::int64_t days = days_from_civil(2000 + two_digits(text.data()), month, day);
  return {{micros_of(days, clock), StampBasis::kLocal}, 9 + clock.length};
}

StampMatch parse_leading_epoch_stamp(std::string_view text) {
  const std::size_t digits = count_digits(text);
  if (digits != 10 || text[0] != '1' || digits + 4 >= text.size() || text[digits] != '.') return {};
  const std::size_t fraction = count_digits(text.substr(digits + 1));
  const std::size_t length = digits + 1 + fraction;
  if (fraction < 3 || fraction > 9 || length >= text.size() || text[length] != ' ') return {};
  const auto stamp = parse_epoch_stamp(text.substr(0, length));
  return stamp ? StampMatch{*stamp, length} : StampMatch{};
}

StampMatch parse_absl_stamp(std::string_view text) {
  if (text.size() < 13 || text[4] != ' ' || count_digits(text.substr(0, 4)) != 4) return {};
  constexpr std::string_view kEpochForm = "0000 00:00:";
  if (text.starts_with(kEpochForm)) {
    const std::string_view rest = text.substr(kEpochForm.size());
    const std::size_t digits = count_digits(rest);
    if (digits < 9 || digits > 11 || digits == rest.size() || rest[digits] != '.') return {};
    const Fraction fraction = parse_fraction(rest.substr(digits + 1));
    const std::optional<std::int64_t> seconds = to_int(rest.substr(0, digits));
    if (fraction.length == 0 || !seconds) return {};
    const std::size_t length = kEpochForm.size() + digits + 1 + fraction.length;
    // A clock that nobody ever set, or a stamp that was taken out: all zeros is no time.
    if (*seconds == 0) return {{}, length};
    return {{*seconds * kMicros + fraction.micros, StampBasis::kEpoch}, length};
  }
  const int month = two_digits(text.data());
  const int day = two_digits(text.data() + 2);
  if (month < 1 || month > 12 || day < 1 || day > 31) return {};
  const Clock clock = parse_clock(text.substr(5));
  if (clock.length <= 8) return {};
  const int days = kDaysBefore[static_cast<std::size_t>(month - 1)] + day - 1;
  return {{micros_of(days, clock), StampBasis::kNoYear}, 5 + clock.length};
}

StampMatch parse_clock_stamp(std::string_view text) {
  const Clock clock = parse_clock(text);
  if (clock.length == 0) return {};
  return {{clock.micros, StampBasis::kTimeOnly}, clock.length};
}

StampMatch parse_syslog_stamp(std::string_view text) {
  const int days = month_day(text);
  if (days < 0) return {};
  const Clock clock = parse_clock(text.substr(7));
  if (clock.length == 0) return {};
  return {{micros_of(days, clock), StampBasis::kNoYear}, 7 + clock.length};
}

StampMatch parse_asctime_stamp(std::string_view text) {
  if (text.size() < 24 || text[3] != ' ' || !is_upper(text[0])) return {};
  const StampMatch inner = parse_syslog_stamp(text.substr(4));
  if (inner.length != 15 || text[19] != ' ') return {};
  const std::optional<std::int64_t> year = to_int(text.substr(20, 4));
  if (!year || *year < 1) return {};
  return {{in_year(inner.stamp, static_cast<int>(*year)), StampBasis::kLocal}, 24};
}

std::optional<Stamp> parse_epoch_stamp(std::string_view text) {
  const std::size_t digits = count_digits(text);
  if (digits == 19) text = text.substr(0, 16);  // nanoseconds, cut to microseconds
  const std::optional<std::int64_t> whole = to_int(text.substr(0, digits));
  if (!whole || digits < 9) return std::nullopt;
  std::int64_t micros = 0;
  if (digits < text.size()) {
    if (text[digits] != '.') return std::nullopt;
    const std::string_view rest = text.substr(digits + 1);
    if (count_digits(rest) != rest.size()) return std::nullopt;
    micros = parse_fraction(rest).micros;
  }
  if (digits <= 11) return Stamp{*whole * kMicros + micros, StampBasis::kEpoch};
  if (digits <= 14) return Stamp{*whole * 1000 + micros / 1000, StampBasis::kEpoch};
  if (digits == 16 || digits == 19) return Stamp{*whole, StampBasis::kEpoch};
  return std::nullopt;
}

}  // namespace tfpm
