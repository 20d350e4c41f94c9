// tfpm report: renders the report again from a database.
#include "report/report.h"

#include <memory>

#include "cli/command_line.h"
#include "cli/database_path.h"
#include "cli/terminal.h"

namespace tfpm::cli {
namespace {

struct ReportOptions {
  std::string database;
  std::string format = "md";
};

Result<int> run(const ReportOptions& options, const GlobalOptions& global) {
  Result<Database> db = open_database(options.database);
  if (!db.ok()) return db.status();
  Result<std::string> text = std::string();
  if (options.format == "md") text = render_markdown(*db);
  if (options.format == "html") text = render_html(*db);
  if (options.format == "json") text = render_findings_json(*db);
  if (options.format == "text") {
    text = render_terminal(*db, {use_color(global.color), terminal_width(), {}});
  }
  if (!text.ok()) return text.status();
  TFPM_RETURN_IF_ERROR(write_stdout(*text));
  return kExitOk;
}

}  // namespace

void add_report(Command app, Context& context) {
  const Command command = app.add("report", "render the report again from a database");
  auto options = std::make_shared<ReportOptions>();
  command.option("DB", options->database, "tfpm.db or the directory that holds it").required();
  command
      .option("--format", options->format,
              "md (report.md), html, json (findings.json), text (the summary)")
      .one_of({"md", "html", "json", "text"})
      .preset("md");
  command.action(context, [&context, options] { return run(*options, context.global); });
}

}  // namespace tfpm::cli
