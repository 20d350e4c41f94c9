// Lines of srun and slurmstepd (log-formats.md 6.3). Internal to exit_lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parsers/detail/exit_lines.h"

namespace tfpm {

std::vector<ExitRecord> read_slurm_line(std::string_view line);

// Numbers of "2", "1-3" or "0,2-5"; empty when the text is no such list. At most 8192.
std::vector<std::int64_t> parse_ranges(std::string_view text);
// Names of a host list: "gpu-n[1-3,7],login" gives gpu-n1, gpu-n2, gpu-n3, gpu-n7, login. Zero
// padding is kept. At most 8192.
std::vector<std::string> expand_hosts(std::string_view list);

}  // namespace tfpm
