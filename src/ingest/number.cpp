#include "ingest/number.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tfpm {
namespace {

constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                              1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                              1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

double parse_slowly(std::string_view text, bool negative) {
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec == std::errc::result_out_of_range)
    value = text.find_first_of("eE") != std::string_view::npos &&
                    text.find('-', 1) != std::string_view::npos
                ? 0
                : std::numeric_limits<double>::infinity();
  return negative ? -value : value;
}

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  if (text.size() < lower.size()) return false;
  for (std::size_t i = 0; i < lower.size(); ++i)
    if ((text[i] | 0x20) != lower[i]) return false;
  return true;
}

struct Unit {
  std::string_view name;
  double seconds;
};
// Longest first, so that "ms" is not read as "m".
constexpr Unit kUnits[] = {{"seconds", 1},  {"minutes", 60}, {"second", 1}, {"minute", 60},
                           {"hours", 3600}, {"hour", 3600},  {"secs", 1},   {"mins", 60},
                           {"sec", 1},      {"min", 60},     {"hrs", 3600}, {"\u00b5s", 1e-6},
                           {"hr", 3600},    {"ms", 1e-3},    {"us", 1e-6},  {"ns", 1e-9},
                           {"s", 1},        {"m", 60},       {"h", 3600},   {"d", 86400}};

const Unit* unit_at(std::string_view text) {
  if (text.empty()) return nullptr;
  for (const Unit& unit : kUnits) {
    if (text[0] != unit.name[0] || !text.starts_with(unit.name)) continue;
    const std::size_t n = unit.name.size();
    if (n < text.size() && (is_alpha(text[n]) || is_high(text[n]))) continue;
    return &unit;
  }
  return nullptr;
}

std::size_t number_length(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && is_digit(text[n])) ++n;
  if (n + 1 < text.size() && text[n] == '.' && is_digit(text[n + 1])) {
    ++n;
    while (n < text.size() && is_digit(text[n])) ++n;
  }
  return n;
}

}  // namespace

double number_value(std::string_view text) {
  const char* p = text.data();
  const char* const end = p + text.size();
  const bool negative = p != end && *p == '-';
  if (p != end && (*p == '-' || *p == '+')) ++p;
  const char* const digits = p;
  std::uint64_t mantissa = 0;
  while (p != end && is_digit(*p))
    mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p++ - '0');
  std::ptrdiff_t fraction = 0;
  if (p != end && *p == '.') {
    const char* const point = p++;
    while (p != end && is_digit(*p))
      mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p++ - '0');
    fraction = p - point - 1;
  }
  const bool exact = p == end && p - digits <= 18 && mantissa < (1ULL << 53U);
  if (!exact) return parse_slowly({digits, static_cast<std::size_t>(end - digits)}, negative);
  double value = static_cast<double>(mantissa);
  if (fraction > 0) value /= kPowers[fraction];
  return negative ? -value : value;
}

double hex_value(std::string_view digits) {
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return static_cast<double>(value);
}

std::optional<NonFinite> nonfinite_at_start(std::string_view text) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  NonFinite found;
  if (equals_ignoring_case(text, "nan")) {
    found = {kNan, 3};
  } else if (equals_ignoring_case(text, "infinity")) {
    found = {kInf, 8};
  } else if (equals_ignoring_case(text, "inf")) {
    found = {kInf, 3};
  } else {
    return std::nullopt;
  }
  if (found.length < text.size()) {
    const char next = text[found.length];
    // Scripts without blanks and their marks go on right behind a number: `nanです`, `nan，`.
    const bool goes_on = is_high(next) && static_cast<unsigned char>(next) < 0xE2;
    if (is_alpha(next) || is_digit(next) || goes_on) return std::nullopt;
  }
  return found;
}

std::optional<Duration> duration_at(std::string_view text) {
  Duration total;
  double last_unit = std::numeric_limits<double>::infinity();
  while (true) {
    const std::string_view rest = text.substr(total.length);
    const std::size_t digits = number_length(rest);
    const Unit* unit = digits == 0 ? nullptr : unit_at(rest.substr(digits));
    if (unit == nullptr) break;
    if (unit->seconds >= last_unit) break;
    total.seconds += number_value(rest.substr(0, digits)) * unit->seconds;
    total.length += digits + unit->name.size();
    last_unit = unit->seconds;
  }
  if (total.length == 0) return std::nullopt;
  return total;
}

}  // namespace tfpm
