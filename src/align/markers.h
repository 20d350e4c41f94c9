// Chooses step markers and losses among what the learner kept (algorithms.md section 1.9).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "align/marker_steps.h"
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

// Takes the markers of one stream, in order of seq; streams come in the order of their series.
using MarkerSink = std::function<void(std::int64_t stream, const std::vector<MarkerRow>& rows)>;

// `declared` markers that match any line replace what was learned. Writes marker_template,
// marker_value and marker_time rows and hands the markers to `sink`. What a series holds is given
// back as soon as its markers are made. The result does not depend on `threads`.
Status choose_markers(Database& db, std::vector<StreamSeries> series,
                      const std::vector<MarkerStream>& streams,
                      const std::vector<DeclaredMarker>& declared, unsigned threads,
                      const MarkerSink& sink);

}  // namespace tfpm
