// What each task was in when it ended: its stacks say it best, else the event that shows its end.
#include <algorithm>

#include "report/load.h"
#include "report/query.h"

namespace tfpm::report {
namespace {

// One thread a task: the one whose class tells most; the main thread where several tell the same.
constexpr std::string_view kStacksSql =
    "SELECT w.id, t.class, t.frame, t.is_main FROM stack_thread t JOIN stack k ON k.id = t.stack_id"
    " JOIN worker w ON w.name = k.owner AND w.instance = 0"
    " WHERE t.class NOT IN ('idle', 'unknown') AND t.frame IS NOT NULL"
    " ORDER BY w.id, CASE t.class WHEN 'input' THEN 0 WHEN 'checkpoint' THEN 1 WHEN 'user' THEN 2"
    " WHEN 'compile' THEN 3 WHEN 'exit' THEN 4 WHEN 'collective-wait' THEN 5 ELSE 6 END,"
    " t.is_main DESC, t.id";

// Tracebacks: the exception, and the status inside it where there is one ("Graph execution error:"
// says nothing), else its message. What a run before that of the verdict said is not how it ended.
constexpr std::string_view kTerminalSql =
    "SELECT a.worker_id, e.text, x.value, coalesce(i.value, m.value) FROM attempt a"
    " JOIN event e ON e.id = a.terminal_event_id"
    " LEFT JOIN event_capture x ON x.event_id = e.id AND x.name = 'exception'"
    " LEFT JOIN event_capture m ON m.event_id = e.id AND m.name = 'message'"
    " LEFT JOIN event_capture i ON i.event_id = e.id AND i.name = 'inner_text'"
    " WHERE a.generation >= coalesce((SELECT generation FROM verdict), 0)"
    " ORDER BY a.worker_id, a.n DESC";

constexpr std::string_view kSignalsSql =
    "SELECT w.id, p.state FROM process_state p JOIN worker w"
    " ON w.name = p.owner AND w.instance = 0 WHERE p.state GLOB '[TD]*' ORDER BY w.id, p.id";

std::string phrase_of(const std::string& stack_class) {
  if (stack_class == "input") return "in its input pipeline";
  if (stack_class == "checkpoint") return "in checkpoint I/O";
  if (stack_class == "user") return "in the program's own code";
  if (stack_class == "compile") return "compiling";
  if (stack_class == "exit") return "shutting down";
  if (stack_class == "collective-wait") return "waiting for its peers in a collective";
  if (stack_class == "rpc-wait") return "waiting for an answer of another task";
  return stack_class;
}

std::string first_line(const std::string& text) {
  const std::size_t start = text.find_first_not_of(" \n\r");
  if (start == std::string::npos) return {};
  return text.substr(start, text.find('\n', start) - start);
}

std::string last_words_of(const Statement& row) {
  if (row.is_null(2)) return first_line(clean_text(row, 1, 4000));
  const std::string message = first_line(clean_text(row, 3));
  return clean_text(row, 2) + (message.empty() ? "" : ": " + message);
}

// Sets `doing` of the task unless something better did.
void set_doing(ReportModel& model, std::int64_t task_id, std::string text) {
  const auto task = std::find_if(model.tasks.begin(), model.tasks.end(),
                                 [&](const Task& t) { return t.id == task_id; });
  if (task != model.tasks.end() && !task->doing && !text.empty()) task->doing = std::move(text);
}

}  // namespace

Status load_last_words(Database& db, ReportModel& model) {
  TFPM_RETURN_IF_ERROR(for_each_row(db, kSignalsSql, [&](const Statement& row) {
    const bool stopped = row.as_text(1).front() == 'T';
    set_doing(model, row.as_int(0),
              (stopped ? "stopped (process state `" : "in uninterruptible I/O (process state `") +
                  clean_text(row, 1) + "`)");
  }));
  TFPM_RETURN_IF_ERROR(for_each_row(db, kStacksSql, [&](const Statement& row) {
    set_doing(model, row.as_int(0),
              phrase_of(clean_text(row, 1)) + ": `" + clean_text(row, 2, 200) + "`");
  }));
  return for_each_row(db, kTerminalSql, [&](const Statement& row) {
    set_doing(model, row.as_int(0), last_words_of(row));
  });
}

}  // namespace tfpm::report
