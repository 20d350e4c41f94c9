#include "cli/outputs.h"

#include "cli/file_output.h"

namespace tfpm::cli {

std::vector<std::string> output_files() {
  return {kDatabaseFile, "report.md", "report.html", "findings.json"};
}

Result<Rendered> render_all(Database& db, const TerminalStyle& style) {
  Rendered out;
  const auto keep = [](Result<std::string> text, std::string& to) {
    if (!text.ok()) return text.status();
    to = std::move(*text);
    return ok_status();
  };
  TFPM_RETURN_IF_ERROR(keep(render_findings_json(db), out.findings_json));
  TFPM_RETURN_IF_ERROR(keep(render_markdown(db), out.markdown));
  TFPM_RETURN_IF_ERROR(keep(render_html(db), out.html));
  TFPM_RETURN_IF_ERROR(keep(render_terminal(db, style), out.summary));
  return out;
}

Status write_reports(const Rendered& rendered, const std::string& folder) {
  const std::vector<std::pair<const char*, const std::string*>> files = {
      {"findings.json", &rendered.findings_json},
      {"report.md", &rendered.markdown},
      {"report.html", &rendered.html},
  };
  for (const auto& [name, text] : files) {
    TFPM_RETURN_IF_ERROR(replace_file(folder + "/" + name, *text));
  }
  return ok_status();
}

}  // namespace tfpm::cli
