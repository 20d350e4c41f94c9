// Slurm's own record of jobs: scontrol show job, the job completion log, sacct
// (log-formats.md 6.3, 7.6).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/detail/exit_lines.h"

namespace tfpm {

// exit_record.what of a job state ("TIMEOUT", "CANCELLED by 1000", "OUT_OF_ME+"); nullopt while the
// job has not ended.
std::optional<std::string_view> slurm_state_meaning(std::string_view state);

// The state in full and alone: "OUT_OF_ME+" gives "OUT_OF_MEMORY", "CANCELLED by 7" "CANCELLED".
std::string_view slurm_state_name(std::string_view state);

// "137:0", "0:15": code of the process and signal, into one shell-convention code. A zero pair says
// nothing of a job that others ended.
void set_slurm_exit_code(ExitRecord& record, std::string_view pair);

// One line with JobState=...: keys and values of scontrol and jobcomp.
std::optional<std::string_view> slurm_value(std::string_view line, std::string_view key);

}  // namespace tfpm
