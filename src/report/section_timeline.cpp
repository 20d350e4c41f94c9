// The steps around the failure, task by task, in logical order.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/format.h"
#include "report/phrases.h"
#include "report/sections.h"
#include "report/text.h"

namespace tfpm::report {
namespace {

constexpr std::size_t kMaxColumns = 8;
constexpr std::size_t kMaxCellChars = 30;

using Cells = std::map<std::pair<std::int64_t, std::int64_t>, const StepCell*>;  // step, task

std::string fitted(const std::string& text) {
  return shorten(visible(text), kMaxCellChars);
}

std::string cell_text(const StepCell& cell) {
  std::string out = "■";
  if (cell.time_us) out += " " + format_clock(*cell.time_us);
  if (cell.loss_state && *cell.loss_state != "finite") {
    out += " loss " + *cell.loss_state;
  } else if (cell.loss) {
    out += fmt::format(" loss {:.6g}", *cell.loss);
  }
  return fitted(out);
}

// What an empty cell means for a task.
std::string missing_text(const Task& task, const std::string& role, std::int64_t step) {
  if (task.last_step && step <= *task.last_step) return "·";  // completed, its marker is not kept
  if (role == "culprit" || role == "suspect") return "✗ not completed";
  return "… not completed";
}

std::vector<const Task*> columns(const ReportModel& model) {
  std::vector<const Task*> all = tasks_by_role(model);
  std::erase_if(all, [](const Task* task) { return task->instance > 0 && !task->has_log; });
  if (all.size() > kMaxColumns) all.resize(kMaxColumns);
  // Within the chosen ones the order of the store is the easier one to read.
  std::sort(all.begin(), all.end(), [](const Task* a, const Task* b) { return a->id < b->id; });
  return all;
}

using Grid = std::vector<std::vector<std::string>>;

Grid grid_of(const ReportModel& model, const std::vector<const Task*>& tasks) {
  Cells cells;
  for (const StepCell& cell : model.window.cells) cells[{cell.step, cell.task_id}] = &cell;
  Grid grid;
  std::vector<std::string> header = {fitted(model.progress->unit)};
  for (const Task* task : tasks) header.push_back(fitted(display_name(*task)));
  grid.push_back(std::move(header));
  for (const std::int64_t step : model.window.steps) {
    std::vector<std::string> row = {fmt::format("{}", step)};
    for (const Task* task : tasks) {
      const auto cell = cells.find({step, task->id});
      row.push_back(cell != cells.end() ? cell_text(*cell->second)
                                        : missing_text(*task, task->role, step));
    }
    grid.push_back(std::move(row));
  }
  std::vector<std::string> end = {"end"};
  for (const Task* task : tasks) end.push_back(fitted(ended(*task)));
  grid.push_back(std::move(end));
  return grid;
}

std::string aligned(const Grid& grid) {
  std::vector<std::size_t> widths(grid.front().size(), 0);
  for (const auto& row : grid) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], count_chars(row[i]));
  }
  std::string out;
  for (const auto& row : grid) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += pad_right(row[i], widths[i] + 2);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace

void add_timeline(const ReportModel& model, Document& doc) {
  if (!model.progress || model.window.cells.empty()) return;
  const std::vector<const Task*> tasks = columns(model);
  if (tasks.empty()) return;
  const bool healthy = model.verdict.status == "healthy";
  doc.add(Heading{2, {plain(healthy ? "The last steps" : "Timeline around the failure")}});
  doc.add(
      Paragraph{{plain("Logical order, one line a step; the times are each task's own clock.")}});
  doc.add(CodeBlock{aligned(grid_of(model, tasks))});
  if (tasks.size() < model.tasks.size())
    doc.add(Paragraph{{plain(fmt::format("{} more tasks: ", model.tasks.size() - tasks.size())),
                       code("SELECT * FROM step_matrix")}});
}

}  // namespace tfpm::report
