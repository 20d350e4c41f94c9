// Who played which part, and how each task ended.
#include <fmt/format.h>

#include <map>

#include "report/clock_words.h"
#include "report/format.h"
#include "report/phrases.h"
#include "report/sections.h"
#include "report/text.h"

namespace tfpm::report {
namespace {

// Rows a role gets in a folded table: those that matter are worth a screen, the others an example.
std::size_t rows_for(const std::string& role) {
  if (role == "culprit" || role == "suspect" || role == "own failure") return 24;
  return role == "unclear" ? 12 : 4;
}

std::vector<Inline> row_of(const ReportModel& model, const Task& task) {
  const std::string& role = task.role;
  const bool matters = role == "culprit" || role == "suspect" || role == "own failure";
  const auto marked = [&](std::string text) {
    return Inline{matters ? strong(std::move(text)) : plain(std::move(text))};
  };
  return {marked(display_name(task)),
          marked(role_words(model, task)),
          {plain(format_int(task.last_step))},
          {plain(ended(task))},
          task.doing ? prose(shorten(*task.doing, 240)) : Inline{plain("–")}};
}

void add_clocks(const ReportModel& model, Document& doc) {
  std::vector<ClockStatement> clocks;
  for (const Task& task : model.tasks) {
    if (!task.clock_class) continue;
    const MaybeInt error = task.clock ? task.clock->error_us : std::nullopt;
    clocks.push_back({display_name(task), *task.clock_class, error});
  }
  // Of one clock there is nothing to say.
  if (clocks.size() < 2) return;
  doc.add(Paragraph{{plain("Clocks: " + join(clock_sentences(clocks), " · "))}});
}

}  // namespace

void add_tasks(const ReportModel& model, Document& doc) {
  if (model.tasks.empty()) return;
  doc.add(Heading{2, {plain("Who")}});
  Table table{{"task", "role", "last step", "ended", "at the end it was"}, {}};
  const bool folded = model.tasks.size() >= kFoldTasks;
  std::map<std::string, std::size_t> rows;
  std::map<std::string, std::vector<std::string>> hidden;
  for (const Task* task : tasks_by_role(model)) {
    const std::string& role = task->role;
    if (folded && rows[role] == rows_for(role)) {
      hidden[role].push_back(display_name(*task));
      continue;
    }
    ++rows[role];
    table.rows.push_back(row_of(model, *task));
  }
  doc.add(std::move(table));
  List rest{false, {}};
  for (const auto& [role, names] : hidden) {
    rest.items.push_back(
        {plain(fmt::format("and {} more: {} ({})", names.size(), format_names(names), role))});
  }
  if (!rest.items.empty()) doc.add(std::move(rest));
  add_clocks(model, doc);
}

}  // namespace tfpm::report
