// Bounds the markers that are stored of one stream (architecture.md section 3, item 6).
#pragma once

#include <vector>

#include "align/marker_steps.h"

namespace tfpm {

// Keeps at most about 4,500 rows: the last 2,000, the first 100, both sides of every step back, the
// 200 before and the 20 behind each of the first values that are not finite, the extremes of the
// loss, and of the rest every n-th.
void thin_markers(std::vector<MarkerRow>& rows);

}  // namespace tfpm
