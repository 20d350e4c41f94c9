// The main job, step by step: from a bundle to an output directory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/command.h"

namespace tfpm::cli {

struct AnalysisOptions {
  std::vector<std::string> bundles;
  std::optional<std::string> output;  // absent = '<bundle name>.tfpm' here
  std::optional<std::string> rules;   // directory laid over the built-in rules
  bool force = false;
};

struct AnalysisResult {
  std::string output;                         // the directory that was written
  std::string findings_json;                  // content of findings.json
  std::string summary;                        // for the terminal
  std::optional<std::string> worst_severity;  // of all findings; absent = none counts
  bool evidence_lost = false;
};

// Files a run may write into its output directory.
std::vector<std::string> output_files();

Result<AnalysisResult> run_analysis(const AnalysisOptions& options, const GlobalOptions& global);

}  // namespace tfpm::cli
