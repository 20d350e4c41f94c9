#include "parsers/detail/time_text.h"

#include <fmt/format.h>

#include <array>

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

struct Civil {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
};

// Days since 1970-01-01 of the proleptic Gregorian calendar.
std::int64_t days_from_civil(int year, int month, int day) {
  const int y = month <= 2 ? year - 1 : year;
  const int era = (y >= 0 ? y : y - 399) / 400;
  const int yoe = y - era * 400;
  const int doy = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const int doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
  return std::int64_t{era} * 146097 + doe - 719468;
}

std::optional<std::int64_t> to_us(const Civil& c) {
  if (c.month < 1 || c.month > 12 || c.day < 1 || c.day > 31) return std::nullopt;
  if (c.hour > 23 || c.minute > 59 || c.second > 60) return std::nullopt;
  const int of_day = c.hour * 3600 + c.minute * 60 + c.second;
  const std::int64_t seconds = days_from_civil(c.year, c.month, c.day) * 86400 + of_day;
  return seconds * 1'000'000;
}

// Exactly `digits` digits at the front.
bool eat_number(std::string_view& s, std::size_t digits, int& out) {
  if (s.size() < digits) return false;
  int value = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    if (!is_digit(s[i])) return false;
    value = value * 10 + (s[i] - '0');
  }
  s.remove_prefix(digits);
  out = value;
  return true;
}

bool eat_clock(std::string_view& s, Civil& c) {
  return eat_number(s, 2, c.hour) && eat(s, ":") && eat_number(s, 2, c.minute) && eat(s, ":") &&
         eat_number(s, 2, c.second);
}

bool eat_month(std::string_view& s, int& month) {
  static constexpr std::array<std::string_view, 12> kMonths = {
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    if (eat(s, kMonths[i])) {
      month = static_cast<int>(i) + 1;
      return true;
    }
  }
  return false;
}

bool eat_weekday(std::string_view& s) {
  for (const std::string_view day : {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}) {
    if (eat(s, day)) return true;
  }
  return false;
}

// One or two digits, blank-padded on the left.
bool eat_day(std::string_view& s, int& day) {
  while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
  const std::string_view digits = eat_digits(s);
  if (digits.empty() || digits.size() > 2) return false;
  day = static_cast<int>(*parse_int(digits));
  return true;
}

// ".123456" or ",123": microseconds; further digits are dropped.
std::int64_t eat_fraction(std::string_view& s) {
  if (s.size() < 2 || (s[0] != '.' && s[0] != ',') || !is_digit(s[1])) return 0;
  s.remove_prefix(1);
  const std::string_view digits = eat_digits(s);
  std::int64_t us = 0;
  for (std::size_t i = 0; i < 6; ++i) us = us * 10 + (i < digits.size() ? digits[i] - '0' : 0);
  return us;
}

// "Z", "+00:00", "+0000": offset of the zone in seconds.
std::optional<int> eat_zone(std::string_view& s) {
  if (eat(s, "Z")) return 0;
  std::string_view rest = s;
  if (rest.empty() || (rest[0] != '+' && rest[0] != '-')) return std::nullopt;
  const int sign = rest[0] == '-' ? -1 : 1;
  rest.remove_prefix(1);
  int hours = 0;
  int minutes = 0;
  if (!eat_number(rest, 2, hours)) return std::nullopt;
  eat(rest, ":");
  if (!eat_number(rest, 2, minutes)) return std::nullopt;
  s = rest;
  return sign * (hours * 3600 + minutes * 60);
}

std::optional<TimeText> finish(const Civil& civil, std::int64_t fraction_us,
                               std::optional<int> zone, std::size_t length) {
  const std::optional<std::int64_t> us = to_us(civil);
  if (!us) return std::nullopt;
  return TimeText{*us + fraction_us - std::int64_t{zone.value_or(0)} * 1'000'000, length,
                  zone.has_value()};
}

}  // namespace

std::optional<TimeText> leading_iso_time(std::string_view text) {
  std::string_view s = text;
  Civil c;
  if (!eat_number(s, 4, c.year) || s.empty() || (s[0] != '-' && s[0] != '/')) return std::nullopt;
  const std::string_view dash = s.substr(0, 1);
  if (!eat(s, dash) || !eat_number(s, 2, c.month) || !eat(s, dash) || !eat_number(s, 2, c.day)) {
    return std::nullopt;
  }
  if (!eat(s, "T") && !eat(s, " ")) return std::nullopt;
  if (!eat_clock(s, c)) return std::nullopt;
  const std::int64_t fraction = eat_fraction(s);
  const std::optional<int> zone = eat_zone(s);
  return finish(c, fraction, zone, text.size() - s.size());
}

std::optional<TimeText> leading_asctime(std::string_view text) {
  std::string_view s = text;
  Civil c;
  if (!eat_weekday(s) || !eat(s, " ") || !eat_month(s, c.month) || !eat_day(s, c.day) ||
      !eat(s, " ") || !eat_clock(s, c) || !eat(s, " ") || !eat_number(s, 4, c.year)) {
    return std::nullopt;
  }
  return finish(c, 0, std::nullopt, text.size() - s.size());
}

std::optional<TimeText> leading_rfc1123_time(std::string_view text) {
  std::string_view s = text;
  Civil c;
  if (!eat_weekday(s) || !eat(s, ",") || !eat_day(s, c.day) || !eat(s, " ") ||
      !eat_month(s, c.month) || !eat(s, " ") || !eat_number(s, 4, c.year) || !eat(s, " ") ||
      !eat_clock(s, c)) {
    return std::nullopt;
  }
  std::optional<int> zone;
  std::string_view rest = s;
  if (eat(rest, " ")) zone = eat_zone(rest);
  if (zone) s = rest;
  return finish(c, 0, zone, text.size() - s.size());
}

std::optional<TimeText> leading_kibana_time(std::string_view text) {
  std::string_view s = text;
  Civil c;
  if (!eat_month(s, c.month) || !eat_day(s, c.day) || !eat(s, ", ") || !eat_number(s, 4, c.year) ||
      !eat(s, " @ ") || !eat_clock(s, c)) {
    return std::nullopt;
  }
  const std::int64_t fraction = eat_fraction(s);
  return finish(c, fraction, std::nullopt, text.size() - s.size());
}

std::string iso_time(std::int64_t time_us, bool zoned) {
  constexpr std::int64_t kDayUs = std::int64_t{86400} * 1'000'000;
  const bool before = time_us % kDayUs < 0;
  const std::int64_t day = time_us / kDayUs - (before ? 1 : 0);
  const std::int64_t of_day = time_us % kDayUs + (before ? kDayUs : 0);
  // Inverse of days_from_civil().
  const std::int64_t z = day + 719468;
  const std::int64_t era = (z >= 0 ? z : z - 146096) / 146097;
  const std::int64_t doe = z - era * 146097;
  const std::int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
  const std::int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
  const std::int64_t mp = (5 * doy + 2) / 153;
  const std::int64_t month = mp < 10 ? mp + 3 : mp - 9;
  const std::int64_t year = yoe + era * 400 + (month <= 2 ? 1 : 0);
  if (year < 0 || year > 9999) return {};
  const std::int64_t seconds = of_day / 1'000'000;
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}{}", year, month,
                     doy - (153 * mp + 2) / 5 + 1, seconds / 3600, seconds / 60 % 60, seconds % 60,
                     of_day % 1'000'000, zoned ? "Z" : "");
}

}  // namespace tfpm
