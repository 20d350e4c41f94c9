// Findings, the evidence they cite and the chain.
#include <map>

#include "report/load.h"
#include "report/query.h"

namespace tfpm::report {
namespace {

using Links = std::map<std::int64_t, std::vector<std::int64_t>>;

Status load_links(Database& db, std::string_view sql, Links& links) {
  return for_each_row(db, sql,
                      [&](const Statement& row) { links[row.as_int(0)].push_back(row.as_int(1)); });
}

Status load_chain(Database& db, ReportModel& model) {
  Links links;
  TFPM_RETURN_IF_ERROR(
      load_links(db, "SELECT chain_n, evidence_id FROM chain_evidence ORDER BY chain_n, n", links));
  return for_each_row(db,
                      "SELECT c.n, w.name, c.step_lo, c.step_hi, c.edge, c.what FROM chain c"
                      " LEFT JOIN worker w ON w.id = c.worker_id ORDER BY c.n",
                      [&](const Statement& row) {
                        const std::int64_t n = row.as_int(0);
                        model.chain.push_back({.n = n,
                                               .worker = maybe_text(row, 1),
                                               .step = step_range(row, 2),
                                               .edge = clean_text(row, 4),
                                               .what = clean_text(row, 5),
                                               .evidence = links[n]});
                      });
}

Status load_evidence(Database& db, ReportModel& model) {
  return for_each_row(
      db,
      "SELECT e.id, e.kind, s.path, e.line, e.byte_offset, w.name, e.step_lo, e.step_hi, e.time_us,"
      " e.text, e.weight_db FROM evidence e LEFT JOIN source s ON s.id = e.source_id"
      " LEFT JOIN worker w ON w.id = e.worker_id ORDER BY e.id",
      [&](const Statement& row) {
        model.evidence.push_back({.id = row.as_int(0),
                                  .kind = clean_text(row, 1),
                                  .source = maybe_text(row, 2),
                                  .line = row.maybe_int(3),
                                  .byte_offset = row.maybe_int(4),
                                  .worker = maybe_text(row, 5),
                                  .step = step_range(row, 6),
                                  .time_us = row.maybe_int(8),
                                  .text = clean_text(row, 9),
                                  .weight_db = row.maybe_double(10)});
      });
}

// Findings are numbered from 1 without gaps.
Status load_advice(Database& db, ReportModel& model) {
  return for_each_row(
      db, "SELECT finding_id, part, text FROM finding_advice ORDER BY finding_id, n",
      [&](const Statement& row) {
        const auto at = static_cast<std::size_t>(row.as_int(0)) - 1;
        if (at >= model.findings.size()) return;
        model.findings[at].advice.push_back({clean_text(row, 1), clean_text(row, 2)});
      });
}

}  // namespace

Status load_findings(Database& db, ReportModel& model) {
  Links links;
  TFPM_RETURN_IF_ERROR(load_links(
      db, "SELECT finding_id, evidence_id FROM finding_evidence_link ORDER BY finding_id, n",
      links));
  TFPM_RETURN_IF_ERROR(for_each_row(
      db,
      "SELECT id, rule, class, cause, severity, role, workers, step_lo, step_hi, generation,"
      " confidence, title, summary, explained_by FROM finding ORDER BY id",
      [&](const Statement& row) {
        const std::int64_t id = row.as_int(0);
        model.findings.push_back({.id = id,
                                  .rule = clean_text(row, 1),
                                  .failure_class = clean_text(row, 2),
                                  .cause = maybe_text(row, 3),
                                  .severity = clean_text(row, 4),
                                  .role = clean_text(row, 5),
                                  .workers = text_list(row, 6),
                                  .step = step_range(row, 7),
                                  .generation = row.maybe_int(9),
                                  .confidence = clean_text(row, 10),
                                  .title = clean_text(row, 11),
                                  .summary = clean_text(row, 12),
                                  .advice = {},
                                  .explained_by = row.maybe_int(13),
                                  .evidence = links[id]});
      }));
  TFPM_RETURN_IF_ERROR(load_advice(db, model));
  TFPM_RETURN_IF_ERROR(load_evidence(db, model));
  return load_chain(db, model);
}

}  // namespace tfpm::report
