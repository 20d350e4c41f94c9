// Where the steps of a process end in its log (algorithms.md sections 1.4 and 4.8).
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "align/model.h"

namespace tfpm {

// Stream (index into Model::streams) and attempt.
using StreamAttempt = std::pair<int, std::int64_t>;

// Byte offset of the last step marker of each stream and attempt; what stands behind it belongs to
// the end. A process that ends by itself writes its buffered output last, so markers behind its
// fatal exception that arrived at once are steps from before it, and do not count; -1 when no
// others are left. A stream and attempt without markers has no entry.
std::map<StreamAttempt, std::int64_t> last_markers(const Model& model);

}  // namespace tfpm
