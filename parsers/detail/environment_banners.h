// Version banners of tools, one line each (log-formats.md 11).
#pragma once

#include <string_view>
#include <vector>

#include "parsers/detail/environment_lines.h"

namespace tfpm {

// What a banner line says; empty when the line is none. Components: 'python', 'nvcc',
// 'nvidia-driver', 'cuda-driver' (the driver's maximum), 'kernel', 'os', 'glibc', 'tensorflow',
// 'tensorflow-git', and 'build:KEY' for the keys of tf.sysconfig.get_build_info().
std::vector<EnvironmentEntry> read_banner(std::string_view line);

}  // namespace tfpm
