// Years of stamps that were written without one: absl, glog, syslog (algorithms.md section 2.5).
#pragma once

#include <vector>

#include "base/series.h"
#include "base/status.h"

namespace tfpm {

class Database;

// Moves every such stamp of the store and of the series from kUnknownYear, where reading left it,
// into the year that brings its source's last stamp closest to what the bundle's dated sources end
// with. Without a dated source all stay where they are: they agree with each other. Call before
// anything is loaded.
Status find_missing_years(Database& db, std::vector<StreamSeries>& series);

}  // namespace tfpm
