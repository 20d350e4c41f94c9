// Small text tools for hand-written parsers. All work on views and never throw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.h"
#include "base/row.h"
#include "base/text.h"

namespace tfpm {

std::string_view trim(std::string_view text);
std::string to_lower(std::string_view text);
inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}
// Removes `prefix` from the front of `text`; false (and untouched) when it is not there.
bool eat(std::string_view& text, std::string_view prefix);
// Removes and returns the longest front part made of digits; empty when there is none.
std::string_view eat_digits(std::string_view& text);
// Removes leading blanks, then removes and returns everything up to the next blank.
std::string_view eat_token(std::string_view& text);
// Text between the first `open` and the first `close` behind it; nullopt when one is missing.
std::optional<std::string_view> between(std::string_view text, std::string_view open,
                                        std::string_view close);

// Whole-text numbers: nullopt for anything else around them and for overflow.
std::optional<std::int64_t> parse_int(std::string_view text);
std::optional<std::int64_t> parse_hex(std::string_view text);  // with or without 0x
std::optional<double> parse_decimal(std::string_view text);
// The number at the front of `text` ("78410MiB", "61 C"); nullopt when it does not start with one.
std::optional<double> leading_decimal(std::string_view text);

// Parts between separators, blanks around them trimmed; empty parts are kept.
std::vector<std::string_view> split(std::string_view text, char separator);
// Parts between runs of blanks; no empty parts.
std::vector<std::string_view> split_blanks(std::string_view text);

// `text` without terminal escape sequences (colours, cursor).
std::string strip_ansi(std::string_view text);

// Column values: NULL when absent.
Value optional_value(const std::optional<std::int64_t>& value);
Value optional_value(const std::optional<double>& value);
Value optional_value(const std::optional<std::string>& value);

}  // namespace tfpm
