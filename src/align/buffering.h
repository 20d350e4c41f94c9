// Streams whose printed steps reached the file late, in blocks (algorithms.md section 1.4).
#pragma once

#include "align/model.h"

namespace tfpm {

// Fills StreamInfo::buffered. Position in such a stream tells nothing of the step: lines that were
// written at once stand before steps that were over long before them.
void find_buffered_streams(Model& model);

}  // namespace tfpm
