// Where stamps that were written without a year stand until their year is known.
#pragma once

namespace tfpm {

// It has a 29 February, and no log is that old.
inline constexpr int kUnknownYear = 1972;

}  // namespace tfpm
