// Checkpoints, gaps in the evidence, and differences between the tasks' environments.
#include <map>
#include <set>

#include "report/load.h"
#include "report/query.h"

namespace tfpm::report {
namespace {

// Versions differ between tasks for a reason worth a line; variables that are different on every
// task (names, addresses, indices) are what makes them tasks.
bool is_identity(const Difference& difference) {
  if (difference.component.rfind("env:", 0) != 0) return false;
  std::set<std::string> distinct;
  for (const auto& [task, value] : difference.values) distinct.insert(value);
  return distinct.size() == difference.values.size();
}

bool differs(const Difference& difference) {
  for (const auto& [task, value] : difference.values) {
    if (value != difference.values.front().second) return true;
  }
  return false;
}

// A source speaks for the task it is named after, else for the only task it belongs to.
constexpr std::string_view kEnvironmentSql =
    "SELECT component, coalesce(owner, (SELECT min(w.name) FROM worker_source l JOIN worker w"
    " ON w.id = l.worker_id WHERE l.source_id = e.source_id HAVING count(*) = 1)) AS task, version"
    " FROM environment e WHERE task IS NOT NULL GROUP BY component, task ORDER BY component, task";

}  // namespace

Status load_checkpoints(Database& db, ReportModel& model) {
  return for_each_row(
      db,
      "SELECT prefix, step, completeness, integrity, health, tensors, problem FROM checkpoint"
      " ORDER BY directory, step, prefix, id",
      [&](const Statement& row) {
        model.checkpoints.items.push_back({.prefix = clean_text(row, 0),
                                           .step = row.maybe_int(1),
                                           .completeness = clean_text(row, 2),
                                           .integrity = clean_text(row, 3),
                                           .health = clean_text(row, 4),
                                           .tensors = row.maybe_int(5),
                                           .problem = maybe_text(row, 6)});
      });
}

Status load_gaps(Database& db, ReportModel& model) {
  const auto read = db.query_int("SELECT count(*) FROM source WHERE status IN ('read', 'partial')");
  if (!read.ok()) return read.status();
  model.sources_read = *read;
  TFPM_RETURN_IF_ERROR(
      for_each_row(db, "SELECT path, reason FROM source WHERE status = 'unread' ORDER BY path, id",
                   [&](const Statement& row) {
                     model.unread.push_back({clean_text(row, 0), maybe_text(row, 1)});
                   }));
  return for_each_row(db,
                      "SELECT s.path, p.code, p.severity, p.byte_offset, p.detail FROM problem p"
                      " LEFT JOIN source s ON s.id = p.source_id ORDER BY p.id",
                      [&](const Statement& row) {
                        model.problems.push_back({.source = maybe_text(row, 0),
                                                  .code = clean_text(row, 1),
                                                  .severity = clean_text(row, 2),
                                                  .byte_offset = row.maybe_int(3),
                                                  .detail = clean_text(row, 4)});
                      });
}

Status load_differences(Database& db, ReportModel& model) {
  std::vector<Difference> all;
  TFPM_RETURN_IF_ERROR(for_each_row(db, kEnvironmentSql, [&](const Statement& row) {
    std::string component = clean_text(row, 0, 200);
    if (all.empty() || all.back().component != component) all.push_back({component, {}});
    all.back().values.emplace_back(clean_text(row, 1, 200), clean_text(row, 2, 200));
  }));
  for (Difference& difference : all) {
    if (differs(difference) && !is_identity(difference))
      model.differences.push_back(std::move(difference));
  }
  return ok_status();
}

}  // namespace tfpm::report
