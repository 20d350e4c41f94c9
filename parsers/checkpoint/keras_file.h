// Checkpoints of Keras: one file that is a zip (.keras) or HDF5 (.h5, .weights.h5); formats.md 3.1
// to 3.3.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "parsers/checkpoint/judge.h"
#include "parsers/parser.h"

namespace tfpm {

// Whether a member is such a file: by its name, and by its first bytes as far as they say. Other
// HDF5 files hold data; `any_hdf5` takes them too, for files a user points at.
bool is_keras_file(std::string_view name, std::string_view head, bool any_hdf5);

struct KerasReading {
  CheckpointVerdict verdict;
  std::uint64_t bytes = 0;
  std::uint64_t fault_at = 0;  // byte offset of what is wrong
  bool read = false;           // to its end; else the verdict is 'unknown'
};

// Reads the file once from front to back, in chunks that stay in the processor's cache. `name` is
// what it is called without compression.
KerasReading read_keras_file(std::string_view name, ByteStream& in);

}  // namespace tfpm
