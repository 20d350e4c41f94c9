// The reports of a database as text and as files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/report.h"
#include "store/database.h"

namespace tfpm::cli {

inline constexpr const char* kDatabaseFile = "tfpm.db";
// Files that `analyze` may write into its output directory.
std::vector<std::string> output_files();

struct Rendered {
  std::string findings_json;
  std::string markdown;
  std::string html;
  std::string summary;  // for the terminal
};
Result<Rendered> render_all(Database& db, const TerminalStyle& style);

// Writes findings.json, report.md and report.html into `folder`, each in one step (replace_file).
Status write_reports(const Rendered& rendered, const std::string& folder);

}  // namespace tfpm::cli
