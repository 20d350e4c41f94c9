// Task names as TensorFlow writes them into texts (log-formats.md section 1.2).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tfpm {

struct TaskName {
  std::string job;  // 'worker', 'ps', ...
  std::int64_t task = 0;
  friend bool operator==(const TaskName&, const TaskName&) = default;
};
std::string to_string(const TaskName& name);  // 'worker-2'

// `/job:worker/replica:0/task:2` at the start of `text`, replica optional; what follows does not
// matter.
std::optional<TaskName> parse_task_name(std::string_view text);

// Tasks that stand alone on their lines: stragglers, unhealthy tasks (log-formats.md 2.4). In order
// of appearance, each once.
std::vector<TaskName> list_tasks(std::string_view record);

}  // namespace tfpm
