#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>

#include "base/version.h"
#include "cli/command_line.h"
#include "cli/cores.h"
#include "cli/terminal.h"

namespace tfpm::cli {
namespace {

void add_global_options(CLI::App& app, GlobalOptions& global) {
  global.threads = usable_cores();
  app.add_option("--threads", global.threads, "threads to use; 1 = a single one")
      ->check(CLI::Range(1U, 1024U))
      ->default_str(std::to_string(global.threads));
  app.add_flag("-v,--verbose", global.verbose, "say on stderr what is being done");
  app.add_flag("-q,--quiet", global.quiet, "no summary and no progress, only errors");
  app.add_option("--color", global.color, "colour on stdout: auto, always, never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->default_str("auto");
  app.set_version_flag("--version", std::string(version()), "print the version");
}

void add_commands(Command app, Context& context) {
  add_analyze(app, context);
  add_report(app, context);
  add_diagnose(app, context);
  add_timeline(app, context);
  add_query(app, context);
  add_show(app, context);
  add_verify_checkpoint(app, context);
  add_diff(app, context);
  add_export(app, context);
  add_rules(app, context);
  add_schema(app, context);
  app.require_command();
}

// Messages name files and quote texts of a bundle.
int cannot(const Status& status) {
  write_stderr(printable_lines(status.diagnostic().to_string()) + "\n");
  return kExitCannot;
}

int usage_error(const CLI::App& app, const CLI::ParseError& failure) {
  const CLI::App* last = &app;  // the innermost command that was given
  std::string command = "tfpm";
  while (!last->get_subcommands().empty()) {
    last = last->get_subcommands().front();
    command += " " + last->get_name();
  }
  const std::string help = "`" + command + " --help` lists what it takes";
  // CLI11 asks for a command even where one was given that it does not know.
  const auto rest = app.remaining(true);
  const bool group = !last->get_subcommands({}).empty();
  const bool unknown = group && !rest.empty() &&
                       failure.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError);
  const Status status = unknown
                            ? error(ErrorKind::kUsage, "no such command", rest.front(), {}, help)
                            : error(ErrorKind::kUsage, failure.what(), {}, {}, help);
  return cannot(status);
}

int run(int argc, char** argv) {
  CLI::App app{"Finds out after the fact why a distributed TensorFlow training job failed.",
               "tfpm"};
  Context context;
  add_global_options(app, context.global);
  add_commands(Command(&app), context);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);  // --help, --version
  } catch (const CLI::ParseError& failure) {
    return usage_error(app, failure);
  }
  const Result<int> code = context.action();
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
