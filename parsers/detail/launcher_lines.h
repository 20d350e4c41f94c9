// Lines of a plain launcher and of shells (log-formats.md 6.3, 7.4). Internal to exit_lines.
#pragma once

#include <string_view>
#include <vector>

#include "parsers/detail/exit_lines.h"

namespace tfpm {

// "2026-03-05T14:05:27Z started worker-0 attempt 0 on HOST pid 3931", "... worker-0 attempt 0
// exited with code 137", "... deadline reached; still running: worker-0, worker-1", "... sending
// SIGTERM to worker-1".
std::vector<ExitRecord> read_launcher_line(std::string_view line);

// "bash: line 1:  4242 Killed                  python3 /app/train.py".
std::vector<ExitRecord> read_shell_line(std::string_view line);

}  // namespace tfpm
