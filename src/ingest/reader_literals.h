// Texts the log reader itself looks for, found by the same automaton pass as the signatures'.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tfpm {

enum class ReaderLiteral : std::uint32_t {
  kBanner,     // a process starts (algorithms.md section 1.5)
  kTraceback,  // what begins here matters, whatever it goes on with
  kFatalError,
  kStrategy,     // "task_type = 'worker', task_id = 1"
  kDevice,       // devices of the local task
  kTarget,       // address of the local server
  kTfConfig,     // TF_CONFIG printed
  kClusterKey,   // a cluster printed without the variable's name
  kClusterSpec,  // the coordinator's cluster of parameter servers
};

inline constexpr std::array<std::string_view, 9> kReaderLiterals = {
    "All log messages before absl::InitializeLog()",
    "Traceback (most recent call last)",
    "Fatal Python error: ",
    "task_type = '",
    "Using MirroredStrategy with devices (",
    "Started server with target: ",
    "TF_CONFIG",
    "\"cluster\"",
    "ClusterSpec({",
};

}  // namespace tfpm
