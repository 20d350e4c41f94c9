// What a tensor of a debugger dump says of the output it describes, by TensorDebugMode
// (formats.md 5.3).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tfpm {

struct TensorHealth {
  bool bad = false;                      // NaN or Inf in it
  std::optional<std::int64_t> nan, inf;  // how many; absent = the mode does not count
};

// `tensor`: a TensorProto, as summary (modes 2 to 6, 8) or the value itself (7). Modes that say
// nothing of values (1, 5, unknown ones) and tensors that do not fit theirs are not bad.
TensorHealth tensor_health(std::string_view tensor, std::uint64_t mode);

}  // namespace tfpm
