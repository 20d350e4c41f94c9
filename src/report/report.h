// Renders what the database says; reads nothing else (architecture.md section 1).
#pragma once

#include <string>

#include "base/status.h"

namespace tfpm {

class Database;

struct TerminalStyle {
  bool color = false;
  int width = 100;
};

// findings.json, contract.md section 2: fixed key order, byte-identical for equal stores, ends with
// a newline.
Result<std::string> render_findings_json(Database& db);
// report.md as in shared report example: verdict, what to do, chain, tasks, timeline, evidence,
// checkpoints, gaps.
Result<std::string> render_markdown(Database& db);
// Self-contained HTML of the same content.
Result<std::string> render_html(Database& db);
// The summary `analyze` prints: at most a screen.
Result<std::string> render_terminal(Database& db, const TerminalStyle& style);

}  // namespace tfpm
