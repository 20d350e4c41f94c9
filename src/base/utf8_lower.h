// Lower case for the alphabets that log words come in, without a locale.
#pragma once

#include <string>
#include <string_view>

namespace tfpm {

// Lower-cases ASCII, Latin (to U+017F), Greek and Cyrillic; everything else, invalid UTF-8
// included, is copied as it is.
std::string utf8_lower(std::string_view text);

}  // namespace tfpm
