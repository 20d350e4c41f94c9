// The main job, step by step: from a bundle to an output directory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/command.h"
#include "cli/outputs.h"

namespace tfpm::cli {

struct AnalysisOptions {
  std::vector<std::string> bundles;
  std::optional<std::string> output;  // absent = '<bundle name>.tfpm' here
  std::optional<std::string> rules;   // directory laid over the built-in rules
  bool force = false;
};

struct AnalysisResult {
  std::string output;  // the directory that was written
  Rendered rendered;
  std::optional<std::string> worst_severity;  // of all findings; absent = none counts
  bool evidence_lost = false;
};

Result<AnalysisResult> run_analysis(const AnalysisOptions& options, const GlobalOptions& global);

}  // namespace tfpm::cli
