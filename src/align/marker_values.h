// Other numbers that step markers carry beside step, loss and time: learning rate, gradient norm,
// loss scale, accuracy (schema/25_marker.sql, marker_value).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "align/marker_steps.h"
#include "align/scalar_kind.h"

namespace tfpm {

struct MarkerValue {
  std::string name;       // as printed
  std::uint64_t seq = 0;  // of the marker it belongs to
  std::uint64_t at = 0;   // where it stands
  double value = 0;
};

// Values of the rows that were kept, where they change, by name and then row; those of lines
// between two markers belong to the first of them. A loss that a line of another form prints before
// the row's own bears the words of its line. At most kMaxMarkerNames names a stream.
inline constexpr std::size_t kMaxMarkerNames = 8;
std::vector<MarkerValue> find_marker_values(const NamedStream& stream, const Family& family,
                                            const MarkerSeries& series);

// A part of a step's time as its own line prints it (schema/25_marker.sql, marker_time).
struct MarkerTime {
  std::string name;       // as printed
  std::uint64_t seq = 0;  // of the marker whose line says it
  TimePart part = TimePart::kNone;
  double seconds = 0;  // never negative
};

// Every row's durations that a name assigns to a part, by name and then row; at most
// kMaxMarkerNames names. A duration without a unit is in seconds.
std::vector<MarkerTime> find_marker_times(const NamedStream& stream, const Family& family,
                                          const MarkerSeries& series);

}  // namespace tfpm
