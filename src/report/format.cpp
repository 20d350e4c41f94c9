#include "report/format.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>
#include <optional>

namespace tfpm::report {
namespace {

// A name that ends in a number: what is before it, and the number.
struct NumberedName {
  std::string stem;
  std::int64_t number = 0;
};

std::optional<NumberedName> numbered(const std::string& name) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  if (digits == 0 || digits == name.size() || name.size() - digits > 9) return std::nullopt;
  return NumberedName{name.substr(0, digits), std::stoll(name.substr(digits))};
}

bool follows(const std::string& name, const std::string& before) {
  const auto a = numbered(before);
  const auto b = numbered(name);
  return a && b && a->stem == b->stem && b->number == a->number + 1;
}

std::chrono::sys_time<std::chrono::microseconds> instant(std::int64_t us) {
  return std::chrono::sys_time<std::chrono::microseconds>(std::chrono::microseconds(us));
}

}  // namespace

std::string format_int(const MaybeInt& value) {
  return value ? fmt::format("{}", *value) : "–";
}

std::string format_step(const StepRange& step) {
  if (!step.known()) return "–";
  if (!step.lo) return fmt::format("≤ {}", *step.hi);
  if (!step.hi) return fmt::format("≥ {}", *step.lo);
  if (*step.lo == *step.hi) return fmt::format("{}", *step.lo);
  return fmt::format("{}–{}", *step.lo, *step.hi);
}

std::string format_clock(std::int64_t us) {
  const auto time = instant(us);
  const std::chrono::hh_mm_ss clock(
      std::chrono::floor<std::chrono::seconds>(time - std::chrono::floor<std::chrono::days>(time)));
  return fmt::format("{:02}:{:02}:{:02}", clock.hours().count(), clock.minutes().count(),
                     clock.seconds().count());
}

std::string format_time_utc(std::int64_t us) {
  const auto time = instant(us);
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::int64_t fraction = (time - std::chrono::floor<std::chrono::seconds>(time)).count();
  return fmt::format("{:04}-{:02}-{:02}T{}.{:06}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     format_clock(us), fraction);
}

std::string format_bytes(std::int64_t bytes) {
  constexpr std::array kUnits = {"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (value /= 1024; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string format_db(double db) {
  if (!std::isfinite(db)) return "unknown";
  const double rounded = std::round(db * 10) / 10 + 0.0;  // + 0.0 turns -0 into 0
  return fmt::format("{} dB", rounded);
}

std::string format_place(const Evidence& evidence) {
  if (!evidence.source) return {};
  if (evidence.line) return fmt::format("{}:{}", *evidence.source, *evidence.line);
  if (evidence.byte_offset)
    return fmt::format("{} @ byte {}", *evidence.source, *evidence.byte_offset);
  return *evidence.source;
}

std::string format_names(const std::vector<std::string>& names, std::size_t max_parts) {
  std::vector<std::string> parts;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < names.size() && parts.size() < max_parts;) {
    std::size_t end = i + 1;
    while (end < names.size() && follows(names[end], names[end - 1])) ++end;
    // A run of two reads better as two names.
    if (end - i < 3) end = i + 1;
    parts.push_back(end - i < 3 ? names[i]
                                : fmt::format("{}…{}", names[i], numbered(names[end - 1])->number));
    shown += end - i;
    i = end;
  }
  std::string out = join(parts, ", ");
  if (shown < names.size()) out += fmt::format(" and {} more", names.size() - shown);
  return out;
}

std::string join(const std::vector<std::string>& parts, const std::string& separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

}  // namespace tfpm::report
