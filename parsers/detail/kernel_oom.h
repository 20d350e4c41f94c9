// The kernel's out-of-memory block, assembled from its lines (log-formats.md 6.2): global and
// memory-cgroup kills, kernels from 3.x on, complete or cut.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/detail/kernel_event.h"

namespace tfpm {

// An event and the number of the line it stands on.
struct OomEvent {
  KernelEvent event;
  std::uint64_t line = 0;
};

// Feed the text of every kernel line; a victim gives one 'oom-kill', whoever asked for memory one
// 'oom-invoked'.
class OomAssembler {
 public:
  // Events that this line completes. `line` is only handed back.
  std::vector<OomEvent> add(std::string_view text, std::uint64_t line);
  // A victim that was chosen but whose kill the log no longer shows.
  std::vector<OomEvent> finish();

 private:
  void read_context(std::string_view text);
  bool read_choice(std::string_view text, std::uint64_t line);
  std::optional<KernelEvent> read_kill(std::string_view text);

  KernelEvent block_;               // what the block's lines said so far
  std::optional<OomEvent> chosen_;  // victim named, kill not yet seen
  std::set<std::int64_t> victims_;  // pids already reported
};

}  // namespace tfpm
