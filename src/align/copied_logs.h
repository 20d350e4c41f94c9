// One log that was collected twice: under another name, cut, with other line ends or with a prefix.
#pragma once

#include <vector>

#include "base/series.h"
#include "base/status.h"

namespace tfpm {

class Database;

// Takes out what was read of a stream that repeats another one, so that one process does not count
// as two: a stamped log whose source has the same bytes, or nine in ten of whose stamped events
// (eight at least, stamps of whole seconds aside) stand in the other at the same moments, unless
// the two say of themselves that they are different tasks or processes. The longer one stays and
// takes over the name of the other's file. Writes log_copy. Call before anything is loaded;
// O(events log events).
Status drop_copied_logs(Database& db, std::vector<StreamSeries>& series);

}  // namespace tfpm
