#include "report/report.h"

#include "report/document.h"
#include "report/json.h"
#include "report/load.h"
#include "report/sections.h"
#include "report/terminal.h"

namespace tfpm {

Result<std::string> render_findings_json(Database& db) {
  const Result<report::ReportModel> model = report::load_model(db);
  if (!model.ok()) return model.status();
  return report::findings_json(*model);
}

Result<std::string> render_checkpoints_json(Database& db) {
  report::ReportModel model;
  TFPM_RETURN_IF_ERROR(report::load_run(db, model));
  TFPM_RETURN_IF_ERROR(report::load_checkpoints(db, model));
  return report::checkpoints_json(model.checkpoints);
}

Result<std::string> render_markdown(Database& db) {
  const Result<report::ReportModel> model = report::load_model(db);
  if (!model.ok()) return model.status();
  return report::to_markdown(report::build_document(*model));
}

Result<std::string> render_html(Database& db) {
  const Result<report::ReportModel> model = report::load_model(db);
  if (!model.ok()) return model.status();
  return report::to_html(report::build_document(*model));
}

Result<std::string> render_terminal(Database& db, const TerminalStyle& style) {
  const Result<report::ReportModel> model = report::load_model(db);
  if (!model.ok()) return model.status();
  return report::to_terminal(*model, style);
}

}  // namespace tfpm
