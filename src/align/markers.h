// Chooses step markers and losses among what the learner kept (algorithms.md section 1.9).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/series.h"
#include "base/status.h"

namespace tfpm {

class Database;

// A stream as the choice needs it. Streams of one task are judged together; a parameter server's or
// a launcher's stream takes no part in the "common values" test.
struct MarkerStream {
  std::int64_t stream = 0;     // stream.id
  std::int64_t worker_id = 0;  // 0 = unknown
  bool training = true;        // false: evaluator, parameter server, platform
};

// `declared` markers that match any line replace what was learned. Writes marker_template and
// step_marker rows (attempt, generation and superseded are left to the
// caller) and returns the streams' choice in the order of `streams`.
Status choose_markers(Database& db, const std::vector<StreamSeries>& series,
                      const std::vector<MarkerStream>& streams,
                      const std::vector<DeclaredMarker>& declared);

}  // namespace tfpm
