// tfpm export: the run in a form that other programs draw.
#include <memory>

#include "cli/command_line.h"
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
                                              : write_output(options.output, *text));
  return kExitOk;
}

}  // namespace

void add_export(Command app, Context& context) {
  const Command command = app.add("export", "write a timeline that a trace viewer opens");
  auto options = std::make_shared<ExportOptions>();
  command.option("DB", options->database, "tfpm.db or the directory that holds it").required();
  command
      .option("--format", options->format, "chrome-trace: for ui.perfetto.dev and chrome://tracing")
      .one_of({"chrome-trace"})
      .required();
  command.option("-o,--output", options->output, "file to write; without it, stdout").type("FILE");
  command.action(context, [options] { return run(*options); });
}

}  // namespace tfpm::cli
