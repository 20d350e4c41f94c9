// tfpm export: the run in a form that other programs draw.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.h"
#include "cli/database_path.h"
#include "cli/file_output.h"
#include "cli/terminal.h"
#include "report/report.h"

namespace tfpm::cli {
namespace {

struct ExportOptions {
  std::string database;
  std::string format;
  std::string output;  // empty = stdout
};

Result<int> run(const ExportOptions& options) {
  Result<Database> db = open_database(options.database);
  if (!db.ok()) return db.status();
  const Result<std::string> text = render_chrome_trace(*db);
  if (!text.ok()) return text.status();
  TFPM_RETURN_IF_ERROR(options.output.empty() ? write_stdout(*text)
                                              : replace_file(options.output, *text));
  return kExitOk;
}

}  // namespace

void add_export(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("export", "write a timeline that a trace viewer opens");
  auto options = std::make_shared<ExportOptions>();
  command->add_option("DB", options->database, "tfpm.db or the directory that holds it")
      ->required();
  command
      ->add_option("--format", options->format,
                   "chrome-trace: for ui.perfetto.dev and chrome://tracing")
      ->check(CLI::IsMember({"chrome-trace"}))
      ->required();
  command->add_option("-o,--output", options->output, "file to write; without it, stdout")
      ->type_name("FILE");
  command->callback([&context, options] { context.action = [options] { return run(*options); }; });
}

}  // namespace tfpm::cli
