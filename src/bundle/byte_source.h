// A readable stream of bytes. Same contract as parsers' ByteStream (parsers/parser.h), which this
// room may not see.
#pragma once

#include <cstddef>
#include <span>

#include "base/status.h"

namespace tfpm {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Fills up to out.size() bytes; 0 = end. An error means the medium or the compression failed in
  // the middle: what came before is valid. After an error or the end, further calls return 0.
  virtual Result<std::size_t> read(std::span<char> out) = 0;
};

}  // namespace tfpm
