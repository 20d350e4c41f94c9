// Time stamps at the start of a text, by fixed offsets (log-formats.md section 1.1).
//
// Each function returns the stamp and how many bytes it takes; length 0 = there is none. Values
// out of range (month 13, hour 24) are no stamp. Fractions finer than a microsecond are cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "ingest/lines.h"

namespace tfpm {

struct StampMatch {
  Stamp stamp;
  std::size_t length = 0;
  explicit operator bool() const { return length != 0; }
};

// `2026-03-05 14:05:42`, also with T, slashes, fraction (`.` or `,`) and zone (Z, +00:00, +0000,
// one blank before a numeric zone allowed).
StampMatch parse_iso_stamp(std::string_view text);
// `0305 14:05:42.123456` or `0000 00:00:1772719542.123456` (epoch); absl and gRPC. An epoch of all
// zeros takes its bytes and gives no time.
StampMatch parse_absl_stamp(std::string_view text);
// `26/03/05 14:05:42` (Spark); the year is of this century.
StampMatch parse_short_date_stamp(std::string_view text);
// `1772719542.123` and a blank: a program that prints time.time() in front. The fraction must be
// there: a whole number may count anything.
StampMatch parse_leading_epoch_stamp(std::string_view text);
// `14:05:42`, with or without fraction.
StampMatch parse_clock_stamp(std::string_view text);
// `Mar  5 14:05:42`, with or without fraction.
StampMatch parse_syslog_stamp(std::string_view text);
// `Thu Mar  5 14:05:42 2026`.
StampMatch parse_asctime_stamp(std::string_view text);
// A number of seconds, milliseconds, microseconds or nanoseconds since the epoch, told apart by
// size; the whole text must be the number.
std::optional<Stamp> parse_epoch_stamp(std::string_view text);

// Days since 1970-01-01 of a proleptic Gregorian date.
std::int64_t days_from_civil(int year, int month, int day);

}  // namespace tfpm
