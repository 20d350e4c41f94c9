// The input file that a verdict is about, so that advice can be copied into a shell as it stands.
#pragma once

#include "engine/case_file.h"

namespace tfpm {

// Fills Hypothesis::input_file where the advice of its class speaks of {file}: the path that its
// strongest claim's lines state, else the file which its only task logged last when it opened its
// input. Left empty where neither is there, where the file is an object of a remote store, or where
// its name holds characters that a shell or Markdown would take for its own. Behind the rows of
// hypothesis_claim.
Status name_input_files(Database& db, CaseFile& file);

}  // namespace tfpm
