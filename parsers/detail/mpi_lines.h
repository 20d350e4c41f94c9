// Lines of Open MPI, MPICH and horovodrun (log-formats.md 6.3). Internal to exit_lines.
#pragma once

#include <string_view>
#include <vector>

#include "parsers/detail/exit_lines.h"

namespace tfpm {

// Lines that say all by themselves.
std::vector<ExitRecord> read_mpi_line(std::string_view line);

// The head of a block whose next lines name the process and its exit code.
bool is_mpi_block_start(std::string_view line);
enum class MpiBlockLine {
  kMore,      // belongs to the block, or nothing yet
  kComplete,  // `record` is complete
  kEnd,       // the block ended without saying enough
};
MpiBlockLine read_mpi_block_line(std::string_view line, ExitRecord& record);

}  // namespace tfpm
