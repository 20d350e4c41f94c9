// What was missing or damaged, what differs between the tasks, and how to ask on.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "report/format.h"
#include "report/sections.h"
#include "report/text.h"

namespace tfpm::report {
namespace {

constexpr std::size_t kMaxGaps = 30;
constexpr std::size_t kMaxDifferences = 30;
constexpr std::size_t kMaxPaths = 6;

void add_capped(List& list, Inline item, std::size_t& hidden) {
  if (list.items.size() < kMaxGaps) {
    list.items.push_back(std::move(item));
  } else {
    ++hidden;
  }
}

// Members that were not read for one reason, in one line. Every link has a reason of its own.
void add_unread(const ReportModel& model, List& list, std::size_t& hidden) {
  std::map<std::string, std::vector<std::string>> paths;
  for (const Unread& unread : model.unread)
    paths[unread.why ? *unread.why : "nobody could read it"].push_back(unread.path);
  for (const auto& [why, members] : paths) {
    Inline item = {plain("Not read, " + why + ": ")};
    for (std::size_t i = 0; i < members.size() && i < kMaxPaths; ++i) {
      if (i > 0) item.push_back(plain(" · "));
      item.push_back(code(members[i]));
    }
    if (members.size() > kMaxPaths)
      item.push_back(plain(fmt::format(" and {} more", members.size() - kMaxPaths)));
    add_capped(list, std::move(item), hidden);
  }
}

Inline problem_item(const Problem& problem) {
  Inline out = {code(problem.source ? *problem.source : "bundle")};
  if (problem.byte_offset) out.push_back(plain(fmt::format(" at byte {}", *problem.byte_offset)));
  out.push_back(plain(": " + problem.severity + " ("));
  out.push_back(code(problem.code));
  out.push_back(plain("): " + problem.detail));
  return out;
}

bool is_lost(const Problem& problem) {
  return problem.severity == "error" || problem.severity == "data-loss";
}

// What checkpoints suffer from stands in their own section.
bool is_told_elsewhere(const Problem& problem) {
  return !is_lost(problem) && problem.code.starts_with("checkpoint-");
}

// "worker-0, worker-2: 2.15.0 · worker-1: 2.14.0"
std::string values_of(const Difference& difference) {
  std::map<std::string, std::vector<std::string>> tasks;
  for (const auto& [task, value] : difference.values) tasks[value].push_back(task);
  std::vector<std::string> parts;
  for (const auto& [value, names] : tasks)
    parts.push_back(format_names(names, 6) + ": " + shorten(value, 80));
  return join(parts, " · ");
}

}  // namespace

void add_gaps(const ReportModel& model, Document& doc) {
  List list{false, {}};
  std::size_t hidden = 0;
  // Lost evidence first: it limits what the verdict can know.
  for (const bool lost : {true, false}) {
    for (const Problem& problem : model.problems) {
      if (is_lost(problem) != lost || is_told_elsewhere(problem)) continue;
      add_capped(list, problem_item(problem), hidden);
    }
    if (lost) add_unread(model, list, hidden);
  }
  if (list.items.empty()) return;
  if (hidden > 0) {
    Inline rest = {plain(fmt::format("and {} more: ", hidden)),
                   code("SELECT * FROM problem_summary")};
    if (!model.unread.empty()) {
      rest.push_back(plain(", "));
      rest.push_back(code("SELECT path, reason FROM source WHERE status = 'unread'"));
    }
    list.items.push_back(std::move(rest));
  }
  doc.add(Heading{2, {plain("What was missing")}});
  doc.add(std::move(list));
}

void add_differences(const ReportModel& model, Document& doc) {
  if (model.differences.empty()) return;
  doc.add(Heading{2, {plain("Differences between the tasks' environments")}});
  Table table{{"component", "values"}, {}};
  for (const Difference& difference : model.differences) {
    if (table.rows.size() == kMaxDifferences) break;
    table.rows.push_back({{code(difference.component)}, {plain(values_of(difference))}});
  }
  doc.add(std::move(table));
}

void add_queries(const ReportModel& model, Document& doc) {
  doc.add(Heading{2, {plain("Ask on")}});
  std::string text;
  const MaybeInt step = model.verdict.step.lo;
  // Steps come from a bundle: one may be as great as a number can be.
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  text += step ? fmt::format("tfpm timeline tfpm.db --step {}..{}\n", *step > 2 ? *step - 2 : 0,
                             std::min(*step, kMax - 1) + 1)
               : "tfpm timeline tfpm.db\n";
  const Finding* root = model.root();
  if (root != nullptr && !root->evidence.empty())
    text += fmt::format("tfpm show tfpm.db E{} -C 5\n", root->evidence.front());
  text += "tfpm query tfpm.db \"SELECT * FROM worker_summary\"\n";
  text += "sqlite3 tfpm.db \"SELECT finding, source, line, text FROM finding_evidence\"\n";
  text += "sqlite3 tfpm.db .schema\n";
  doc.add(CodeBlock{text, "sh"});
}

}  // namespace tfpm::report
