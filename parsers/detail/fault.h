// Damage found while decoding a binary format: where, and a sentence that helps.
#pragma once

#include <cstdint>
#include <string>

namespace tfpm {

struct Fault {
  std::uint64_t byte_offset = 0;  // in the file
  std::string detail;             // what was expected, what was found; no trailing full stop
};

}  // namespace tfpm
