// Other numbers that step markers carry beside step, loss and time: learning rate, gradient norm,
// loss scale, accuracy (schema/25_marker.sql, marker_value).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "align/marker_steps.h"

namespace tfpm {

struct MarkerValue {
  std::string name;       // as printed
  std::uint64_t seq = 0;  // of the marker it belongs to
  std::uint64_t at = 0;   // where it stands
  double value = 0;
};

// Values of the rows that were kept, where they change, by name and then row; those of lines
// between two markers belong to the first of them. At most kMaxMarkerNames names a stream.
inline constexpr std::size_t kMaxMarkerNames = 8;
std::vector<MarkerValue> find_marker_values(const NamedStream& stream, const Family& family,
                                            const MarkerSeries& series);

}  // namespace tfpm
