// Other findings, and the quoted lines themselves.
#include <fmt/format.h>

#include <algorithm>

#include "report/format.h"
#include "report/phrases.h"
#include "report/sections.h"

namespace tfpm::report {
namespace {

constexpr std::size_t kMaxFindings = 40;
constexpr std::size_t kMaxEvidence = 40;

void append_new(std::vector<std::int64_t>& to, const std::vector<std::int64_t>& ids) {
  for (const std::int64_t id : ids) {
    if (std::find(to.begin(), to.end(), id) == to.end()) to.push_back(id);
  }
}

// The root's evidence first, then the chain's, then that of what else stands.
std::vector<std::int64_t> evidence_in_order(const ReportModel& model) {
  std::vector<std::int64_t> out;
  if (const Finding* root = model.root()) append_new(out, root->evidence);
  for (const ChainLink& link : model.chain) append_new(out, link.evidence);
  for (const Finding& finding : model.findings) {
    if (finding.role != "cascade" && finding.role != "benign") append_new(out, finding.evidence);
  }
  for (const Finding& finding : model.findings) append_new(out, finding.evidence);
  return out;
}

std::string summary_line(const Evidence& item) {
  std::string out = fmt::format("E{} · {}", item.id, item.kind);
  const std::string place = format_place(item);
  if (!place.empty()) out += " · " + place;
  if (item.worker) out += " · " + *item.worker;
  if (item.step.known()) out += " · step " + format_step(item.step);
  return out;
}

Inline finding_role(const Finding& finding) {
  if (finding.explained_by)
    return {plain(fmt::format("{} of F{}", finding.role, *finding.explained_by))};
  return {plain(finding.role)};
}

}  // namespace

void add_other_findings(const ReportModel& model, Document& doc) {
  const Finding* root = model.root();
  Table table{{"", "severity", "role", "class", "task", "step", "what", "evidence"}, {}};
  std::size_t count = 0;
  for (const Finding& finding : model.findings) {
    if (&finding == root || ++count > kMaxFindings) continue;
    table.rows.push_back({{plain(fmt::format("F{}", finding.id))},
                          {plain(finding.severity)},
                          finding_role(finding),
                          {code(class_and_cause(finding.failure_class, finding.cause))},
                          {plain(format_names(finding.workers, 6))},
                          {plain(format_step(finding.step))},
                          prose(finding.title),
                          places(model, finding.evidence, 2)});
  }
  if (table.rows.empty()) return;
  doc.add(Heading{2, {plain("Other findings")}});
  doc.add(std::move(table));
  if (count > kMaxFindings)
    doc.add(Paragraph{{plain(fmt::format("{} more: ", count - kMaxFindings)),
                       code("SELECT * FROM finding_evidence")}});
}

void add_evidence(const ReportModel& model, Document& doc) {
  const std::vector<std::int64_t> ids = evidence_in_order(model);
  if (ids.empty()) return;
  doc.add(Heading{2, {plain("The evidence itself")}});
  const std::size_t shown = std::min(ids.size(), kMaxEvidence);
  for (std::size_t i = 0; i < shown; ++i) {
    if (const Evidence* item = model.evidence_by_id(ids[i]))
      doc.add(Details{summary_line(*item), {item->text}});
  }
  if (shown < ids.size())
    doc.add(Paragraph{{plain(fmt::format("{} more: ", ids.size() - shown)),
                       code("SELECT * FROM finding_evidence")}});
}

}  // namespace tfpm::report
