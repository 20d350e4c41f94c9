#pragma once

namespace tfpm::cli {

// Cores this process may use: its affinity mask, cut by the CPU quota of its control group. >= 1.
unsigned usable_cores();

}  // namespace tfpm::cli
