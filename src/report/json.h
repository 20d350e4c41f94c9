// The machine-readable form (contract: docs/findings.schema.json).
#pragma once

#include <string>

#include "report/model.h"

namespace tfpm::report {

// UTF-8, two spaces of indentation, ends with a newline.
std::string findings_json(const ReportModel& model);
// Its `checkpoints` object alone, as `verify-checkpoint --json` prints it.
std::string checkpoints_json(const Checkpoints& checkpoints);

}  // namespace tfpm::report
