// Whose file is it, as far as its name tells.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tfpm {

// "worker-3" for a name that holds a task ("logs/resnet-worker_3.txt", "rank3/env.txt" gives
// "rank-3"), else the host or other stem the file is named after ("gpu-n2.dmesg.txt" gives
// "gpu-n2"). Words that say what the file is (dmesg, pip-freeze, nvidia-smi, ...) and folders that
// only sort by kind are no owner; nullopt when nothing remains.
std::optional<std::string> owner_from_path(std::string_view path);

// "worker-3" for a name that holds a task at word boundaries: a pod ("resnet-worker-3"), a file, a
// host; nullopt when it holds none.
std::optional<std::string> task_from_name(std::string_view name);

}  // namespace tfpm
