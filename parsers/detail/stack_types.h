// Stack dumps in memory, whatever tool made them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tfpm {

// One call; addresses and arguments dropped.
struct DumpFrame {
  std::string function;
  std::string file;                       // source file or library as printed; empty = unknown
  std::optional<std::int64_t> file_line;  // in that file; absent for libraries
  std::uint64_t line = 0;                 // where the dump shows it, from 1

  // "gate (train.py:120)", "select (libc.so.6)", "ncclAllReduce".
  std::string text() const;
};

struct DumpThread {
  std::uint64_t line = 0;  // its header in the dump
  std::uint64_t byte_offset = 0;
  std::string id;     // native id as printed, or empty
  std::string name;   // empty = not said
  std::string state;  // "active", "idle", "active+gil", "gil"; empty = not said
  bool is_main = false;
  std::vector<DumpFrame> frames;  // innermost first
};

}  // namespace tfpm
