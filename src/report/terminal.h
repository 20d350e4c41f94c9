// The summary on a terminal: at most a screen.
#pragma once

#include <string>

#include "report/model.h"
#include "report/report.h"

namespace tfpm::report {

std::string to_terminal(const ReportModel& model, const TerminalStyle& style);

}  // namespace tfpm::report
