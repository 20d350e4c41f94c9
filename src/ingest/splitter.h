// Cuts a chunk into fragments at \n, \r and runs of \b (log-formats.md section 5.3).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tfpm {

// Text between two delimiters, which are not part of it. May be empty.
struct Piece {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool ends_line = false;  // a \n follows: only that counts as a line
};

class Splitter {
 public:
  // Starts on a chunk, which must outlive the walk and be smaller than 4 GiB.
  void reset(std::string_view chunk);
  // The next fragment; false at the chunk's end. Text behind the last delimiter is a fragment too.
  bool next(Piece& piece);

 private:
  std::uint32_t find_delimiter(std::uint32_t from) const;

  std::string_view chunk_;
  std::uint32_t position_ = 0;
  std::vector<std::uint64_t>
      delimiters_;  // one bit a byte; a bit behind the last byte ends the walk
};

}  // namespace tfpm
