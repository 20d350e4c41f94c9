// What fills the pool of a BFC allocator report: bins, sizes in use, ops that hold memory
// (formats.md 7.4; the op of a chunk is printed by TensorFlow's memory debugging builds only).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/parser.h"

namespace tfpm {

class BfcContent {
 public:
  static constexpr std::size_t kMaxBins = 64;   // there are 21
  static constexpr std::size_t kMaxSizes = 64;  // largest totals kept
  static constexpr std::size_t kMaxOps = 5000;  // told apart; later ones are not counted
  static constexpr std::size_t kTopOps = 20;    // written

  // A record of the report; true when it is a bin, a line of the summary or a chunk with its op.
  bool add(std::string_view message);
  // Rows of allocator_bin, allocator_size and allocator_op that belong to `dump`.
  void emit(const RowRef& dump, Sink& sink) const;

 private:
  struct Bin {
    std::int64_t size = 0;
    std::optional<std::int64_t> chunks, chunks_in_use, allocated, in_use, requested;
  };
  struct Held {
    std::int64_t chunks = 0;
    std::int64_t bytes = 0;
  };
  bool add_bin(std::string_view message);
  bool add_size(std::string_view message);
  bool add_chunk(std::string_view message);

  std::vector<Bin> bins_;
  std::map<std::int64_t, Held> sizes_;  // by size of a chunk
  std::map<std::string, Held> ops_;
};

}  // namespace tfpm
