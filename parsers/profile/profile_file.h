// What all files of a profiler's run folder have in common: whose they are, and whether something
// re-encoded their bytes as text (formats.md 6.1).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tfpm {

// Host part of "<logdir>/plugins/profile/<run>/<host>.xplane.pb"; nullopt without one. ':' of
// host:port stands as '_'.
std::optional<std::string> profile_host(std::string_view path);

// Task the file is named after ("worker-3.xplane.pb"); nullopt when its name holds none. The run
// folder is a date and never an owner.
std::optional<std::string> profile_owner(std::string_view path);

// True when a program took the bytes for text: every byte beyond ASCII is part of valid UTF-8 and
// replacement characters abound. What stood there is lost.
bool is_reencoded(std::string_view head);

}  // namespace tfpm
