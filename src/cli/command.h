// How subcommands are built: one file each, registered in main.cpp.
#pragma once

#include <functional>
#include <string>

#include "base/status.h"

namespace tfpm::cli {

// Exit codes of contract.md section 1.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFinding = 1;   // --fail-on, damaged checkpoint
inline constexpr int kExitCannot = 2;    // bad usage, unreadable bundle, disk full, ...
inline constexpr int kExitEvidence = 3;  // analysed, evidence was lost

// Options before or behind any subcommand.
struct GlobalOptions {
  unsigned threads = 1;
  bool verbose = false;
  bool quiet = false;
  std::string color = "auto";  // 'auto', 'always', 'never'
};

// The chosen subcommand; set by CLI11's callback, run after parsing. Gives the exit code or an
// error that main() shows (exit code 2).
using Action = std::function<Result<int>()>;

struct Context {
  GlobalOptions global;
  Action action;
};

class Command;

// Each adds its subcommand; the program behind `app` and `context` live as long as the program.
void add_analyze(Command app, Context& context);
void add_report(Command app, Context& context);
void add_diagnose(Command app, Context& context);
void add_timeline(Command app, Context& context);
void add_query(Command app, Context& context);
void add_show(Command app, Context& context);
void add_verify_checkpoint(Command app, Context& context);
void add_diff(Command app, Context& context);
void add_export(Command app, Context& context);
void add_rules(Command app, Context& context);
void add_schema(Command app, Context& context);

}  // namespace tfpm::cli
