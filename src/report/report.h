// Renders what the database says; reads nothing else (architecture.md section 1).
#pragma once

#include <string>

#include "base/status.h"

namespace tfpm {

class Database;

struct TerminalStyle {
  bool color = false;
  int width = 100;
  std::string output_dir;  // shown as the place of the full report; empty = not shown
};

// findings.json, contract.md section 2: fixed key order, byte-identical for equal stores, ends with
// a newline.
Result<std::string> render_findings_json(Database& db);
// The `checkpoints` object of findings.json alone; needs no verdict.
Result<std::string> render_checkpoints_json(Database& db);
// report.md (sections.h has its parts in order). Text of the bundle is escaped.
Result<std::string> render_markdown(Database& db);
// Self-contained HTML of the same content.
Result<std::string> render_html(Database& db);
// A trace of steps, phases and failures per task for ui.perfetto.dev and chrome://tracing.
Result<std::string> render_chrome_trace(Database& db);
// The summary `analyze` prints: at most a screen.
Result<std::string> render_terminal(Database& db, const TerminalStyle& style);

}  // namespace tfpm
