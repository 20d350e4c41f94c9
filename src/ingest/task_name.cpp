#include "ingest/task_name.h"

#include <algorithm>

#include "ingest/bytes.h"
#include "ingest/text_lines.h"

namespace tfpm {
namespace {

// Moves `/key:` and the value of word characters behind it off `text`.
bool take_part(std::string_view& text, std::string_view key, std::string_view& value) {
  if (!text.starts_with(key)) return false;
  std::size_t end = key.size();
  while (end < text.size() && (is_word(text[end]) || text[end] == '-')) ++end;
  value = text.substr(key.size(), end - key.size());
  text.remove_prefix(end);
  return !value.empty();
}

}  // namespace

std::string to_string(const TaskName& name) {
  return name.job + "-" + std::to_string(name.task);
}

std::optional<TaskName> parse_task_name(std::string_view text) {
  std::string_view job;
  std::string_view task;
  std::string_view replica;
  if (!take_part(text, "/job:", job)) return std::nullopt;
  take_part(text, "/replica:", replica);
  if (!take_part(text, "/task:", task)) return std::nullopt;
  const std::optional<std::int64_t> index = to_int(task);
  if (!index) return std::nullopt;
  return TaskName{std::string(job), *index};
}

std::vector<TaskName> list_tasks(std::string_view record) {
  std::vector<TaskName> out;
  std::string_view line;
  while (next_line(record, line)) {
    const std::optional<TaskName> name = parse_task_name(line);
    if (!name || line.find(' ') != std::string_view::npos) continue;
    if (std::find(out.begin(), out.end(), *name) == out.end()) out.push_back(*name);
  }
  return out;
}

}  // namespace tfpm
