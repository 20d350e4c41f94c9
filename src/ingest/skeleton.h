// A record without its digits: the key under which the learner remembers what it found in a form of
// line, and where the digits stand.
//
// Two records with equal skeletons differ in digits and in how far a progress bar is drawn only,
// and hold the same tokens: lengths of digit runs that decide what a token is (dates, clock times,
// thousands, epoch seconds) are part of the hash. This makes the usual record cost one pass over
// its bytes and one look-up.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "ingest/slots.h"

namespace tfpm {

inline constexpr std::size_t kMaxRecord = 2000;  // longer records are no markers
inline constexpr std::size_t kMaxRuns = 128;     // nor are those with more runs of digits

struct DigitRun {
  std::uint16_t begin = 0, end = 0;
};

struct Skeleton {
  std::uint64_t hash = 0;
  std::size_t count = 0;  // runs
  BarRange bar;           // no part of the hash
  std::array<DigitRun, kMaxRuns> runs;
};

// False when the record is empty, too long or has too many runs.
bool make_skeleton(std::string_view text, Skeleton& out);

}  // namespace tfpm
