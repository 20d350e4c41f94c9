#include "cli/cores.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

namespace tfpm::cli {
namespace {

// cpu.max of control groups version 2 as seen inside a container: "QUOTA PERIOD" or "max PERIOD".
// 0 = no limit.
double quota_cores() {
  std::ifstream in("/sys/fs/cgroup/cpu.max");
  double quota = 0;
  double period = 0;
  if (!(in >> quota >> period) || quota <= 0 || period <= 0) return 0;
  return quota / period;
}

}  // namespace

unsigned usable_cores() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  unsigned cores = 1;
  if (::sched_getaffinity(0, sizeof mask, &mask) == 0) {
    cores = std::max(1U, static_cast<unsigned>(CPU_COUNT(&mask)));
  }
  const double quota = quota_cores();
  if (quota > 0) cores = std::min(cores, static_cast<unsigned>(std::ceil(quota)));
  return std::max(1U, cores);
}

}  // namespace tfpm::cli
