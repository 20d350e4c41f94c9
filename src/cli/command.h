// How subcommands are built: one file each, registered in main.cpp.
#pragma once

#include <functional>
#include <string>

#include "base/status.h"

namespace CLI {
class App;
}

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

// Each adds its subcommand; `app` and `context` live as long as the program.
void add_analyze(CLI::App& app, Context& context);
void add_report(CLI::App& app, Context& context);
void add_diagnose(CLI::App& app, Context& context);
void add_timeline(CLI::App& app, Context& context);
void add_query(CLI::App& app, Context& context);
void add_show(CLI::App& app, Context& context);
void add_verify_checkpoint(CLI::App& app, Context& context);
void add_diff(CLI::App& app, Context& context);
void add_export(CLI::App& app, Context& context);
void add_rules(CLI::App& app, Context& context);
void add_schema(CLI::App& app, Context& context);

}  // namespace tfpm::cli
