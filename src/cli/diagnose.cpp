// tfpm diagnose: runs the rules again on a database.
#include "engine/diagnose.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <set>

#include "cli/checked_rules.h"
#include "cli/command_line.h"
#include "cli/database_path.h"
#include "cli/outputs.h"
#include "cli/steps.h"
#include "cli/terminal.h"
#include "engine/rules.h"

namespace tfpm::cli {
namespace {

struct DiagnoseOptions {
  std::string database;
  std::optional<std::string> rules;
  bool json = false;
};

// Signatures were matched while the bundle was read; this cannot be made up for here.
Result<std::string> new_signatures(Database& db, const RuleSet& rules) {
  std::set<std::string> known;
  Result<Statement> rows = db.prepare("SELECT id FROM signature_rule");
  if (!rows.ok()) return rows.status();
  for (;;) {
    const Result<bool> more = rows->step();
    if (!more.ok()) return more.status();
    if (!*more) break;
    known.insert(rows->text(0));
  }
  std::string out;
  int count = 0;
  for (const Signature& signature : rules.signatures) {
    if (known.count(signature.id) > 0) continue;
    if (++count <= 5) out += (out.empty() ? "" : ", ") + signature.id;
  }
  return count > 5 ? fmt::format("{} and {} more", out, count - 5) : out;
}

// All or nothing: a run that fails leaves the diagnosis that was there.
Status run_rules(Database& db, const RuleSet& rules, Steps& steps) {
  TFPM_RETURN_IF_ERROR(db.execute("BEGIN IMMEDIATE"));
  TFPM_RETURN_IF_ERROR(diagnose(db, rules, steps.callback()));
  return db.execute("COMMIT");
}

// The reports beside the database would tell another story than it does now.
Status refresh_reports(const std::string& path, const Rendered& rendered) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code failed;
  if (!std::filesystem::exists(folder / "findings.json", failed)) return ok_status();
  return write_reports(rendered, folder.empty() ? "." : folder.string());
}

Result<int> run(const DiagnoseOptions& options, const GlobalOptions& global) {
  Steps steps(global.verbose);
  const Result<RuleSet> rules = load_checked_rules(options.rules);
  if (!rules.ok()) return rules.status();
  const std::string path = database_path(options.database);
  Result<Database> db = open_database_for_update(options.database);
  if (!db.ok()) return db.status();
  const Result<std::string> missing = new_signatures(*db, *rules);
  if (!missing.ok()) return missing.status();
  steps.done("opened the database");
  TFPM_RETURN_IF_ERROR(run_rules(*db, *rules, steps));
  steps.done("closed the store");
  if (!missing->empty() && !global.quiet) {
    write_stderr(
        fmt::format("note: signatures are matched while reading, so these had no effect: {}"
                    "\n  help: run `tfpm analyze` on the bundle with them\n",
                    *missing));
  }
  const Result<Rendered> rendered =
      render_all(*db, {use_color(global.color), terminal_width(), {}});
  if (!rendered.ok()) return rendered.status();
  TFPM_RETURN_IF_ERROR(refresh_reports(path, *rendered));
  steps.done("rendered the report");
  if (options.json) {
    TFPM_RETURN_IF_ERROR(write_stdout(rendered->findings_json));
  } else if (!global.quiet) {
    TFPM_RETURN_IF_ERROR(write_stdout(rendered->summary));
  }
  return kExitOk;
}

}  // namespace

void add_diagnose(Command app, Context& context) {
  const Command command =
      app.add("diagnose", "run the rules again on a database and render its reports anew");
  auto options = std::make_shared<DiagnoseOptions>();
  command.option("DB", options->database, "tfpm.db or the directory that holds it").required();
  command.option("--rules", options->rules, "directory of rules laid over the built-in ones")
      .type("DIR");
  command.flag("--json", options->json, "print findings.json instead of the summary");
  command.action(context, [&context, options] { return run(*options, context.global); });
}

}  // namespace tfpm::cli
