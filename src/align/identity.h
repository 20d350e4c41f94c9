// Who wrote which stream (algorithms.md section 1.8, log-formats.md section 1.2).
#pragma once

#include "align/align.h"
#include "align/model.h"

namespace tfpm {

// Makes the workers: from streams, launchers' records, TF_CONFIGs and the names in the leader's
// connection lines. A process is named by its file, tag or pod where these look like a task; what
// its TF_CONFIG says is its claim.
void identify_workers(Model& model, const AlignOptions& options);

}  // namespace tfpm
