#include <csignal>
#include <exception>

#include "base/version.h"
#include "cli/command_line.h"
#include "cli/cores.h"
#include "cli/terminal.h"

namespace tfpm::cli {
namespace {

void add_global_options(Command program, GlobalOptions& global) {
  global.threads = usable_cores();
  program.option("--threads", global.threads, "threads to use; 1 = a single one")
      .between(1, 1024)
      .preset(std::to_string(global.threads));
  program.flag("-v,--verbose", global.verbose, "say on stderr what is being done");
  program.flag("-q,--quiet", global.quiet, "no summary and no progress, only errors");
  program.option("--color", global.color, "colour on stdout: auto, always, never")
      .one_of({"auto", "always", "never"})
      .preset("auto");
  program.version_flag("--version", std::string(version()), "print the version");
}

void add_commands(Command program, Context& context) {
  add_analyze(program, context);
  add_report(program, context);
  add_diagnose(program, context);
  add_timeline(program, context);
  add_query(program, context);
  add_show(program, context);
  add_verify_checkpoint(program, context);
  add_diff(program, context);
  add_export(program, context);
  add_rules(program, context);
  add_schema(program, context);
  program.require_command();
}

// Messages name files and quote texts of a bundle.
int cannot(const Status& status) {
  write_stderr(printable_lines(status.diagnostic().to_string()) + "\n");
  return kExitCannot;
}

int run(int argc, char** argv) {
  Context context;
  const Result<int> code = run_command_line(
      argc, argv, "Finds out after the fact why a distributed TensorFlow training job failed.",
      [](Command program, Context& chosen) {
        add_global_options(program, chosen.global);
        add_commands(program, chosen);
      },
      context);
  return code.ok() ? *code : cannot(code.status());
}

}  // namespace
}  // namespace tfpm::cli

int main(int argc, char** argv) {
  // A closed pipe and a file size limit are seen as errors of write(), not as deadly signals.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return tfpm::cli::run(argc, argv);
  } catch (const std::exception& failure) {
    // Libraries do not throw across rooms; what arrives here is memory running out or a bug.
    tfpm::cli::write_stderr(std::string("error: internal error: ") + failure.what() + "\n");
    return tfpm::cli::kExitCannot;
  }
}
