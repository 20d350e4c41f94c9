// Who is who, which process run, at which step: passes that read and write tables (algorithms.md
// sections 1-3, 4.8).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/finished.h"
#include "base/series.h"
#include "base/status.h"

namespace tfpm {

class Database;

// What a manifest (bundle.json) says of a source, by its path; wins over everything read.
struct DeclaredTask {
  std::string task;
  std::string host;
  std::optional<std::int64_t> attempt;
  std::optional<double> utc_offset_s;  // its clock minus UTC
};

struct AlignOptions {
  std::map<std::string, DeclaredTask> declared;  // by source path
  std::vector<DeclaredMarker> markers;
  unsigned threads = 1;  // at most; what comes out is the same
};

// Fills worker, attempt, marker_template, step_marker, step_state, the order of records and the
// alignment columns of stream and event. `finished` hears of each pass.
Status align(Database& db, std::vector<StreamSeries> series, const AlignOptions& options,
             const Finished& finished = {});

}  // namespace tfpm
