// Time stamps as tools write them (log-formats.md 1.1). Microseconds since the epoch; stamps
// without a zone are read as if UTC, "as written".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tfpm {

struct TimeText {
  std::int64_t time_us = 0;
  std::size_t length = 0;  // bytes of text it took
  bool zoned = false;      // an explicit zone or Z was there and is applied
};

// "2026-03-05T14:05:42", also with blank for T, '/' in the date, '.' or ',' and 1-9 digits of
// fraction, then nothing, Z, +00:00 or +0000. Only the front of `text` is looked at.
std::optional<TimeText> leading_iso_time(std::string_view text);
// "Thu Mar  5 14:05:42 2026" (asctime: dmesg -T, nvidia-smi, mpirun).
std::optional<TimeText> leading_asctime(std::string_view text);
// "Thu, 05 Mar 2026 14:05:42 +0000" (kubectl describe).
std::optional<TimeText> leading_rfc1123_time(std::string_view text);
// "Mar 5, 2026 @ 14:05:42.123" (Kibana, in the browser's zone).
std::optional<TimeText> leading_kibana_time(std::string_view text);
// "2026-03-05T14:05:42.123456" of microseconds since the epoch, with Z when `zoned`. Years outside
// of 0 to 9999 give nothing.
std::string iso_time(std::int64_t time_us, bool zoned);

}  // namespace tfpm
