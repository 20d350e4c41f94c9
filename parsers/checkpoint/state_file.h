// The `checkpoint` state file: text-format CheckpointState (formats.md 2).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/detail/fault.h"

namespace tfpm {

inline constexpr std::size_t kMaxStateFile = std::size_t{16} << 20;
inline constexpr std::size_t kMaxStatePaths = 100'000;

struct StateFile {
  std::optional<std::string> latest;  // model_checkpoint_path as written
  std::uint64_t latest_line = 0;      // from 1; 0 = absent
  std::vector<std::string> paths;     // all_model_checkpoint_paths, oldest first
  std::vector<double> saved_at;       // their stamps, seconds since the epoch; may be shorter
  std::optional<Fault> fault;         // where it stops to parse; what came before is valid
};

StateFile parse_state_file(std::string_view text);

// The head of a file reads like a state file, whatever its name is.
bool looks_like_state_file(std::string_view head);

}  // namespace tfpm
