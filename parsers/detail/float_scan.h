// Counts NaN and Inf in a stream of raw little-endian elements, at the speed of memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "parsers/detail/dtype.h"

namespace tfpm {

class FloatScan {
 public:
  // A layout of 0 lane bytes makes a scan that does nothing.
  explicit FloatScan(FloatLayout layout = {}) : layout_(layout) {}

  bool active() const { return layout_.lane_bytes != 0; }
  // Feeds the next bytes; chunks may cut elements anywhere.
  void feed(std::string_view bytes);

  std::uint64_t nonfinite() const { return nonfinite_; }
  // Byte offset of the first non-finite element from the start of the stream; absent = none.
  std::optional<std::uint64_t> first() const { return first_; }

 private:
  void scan_lanes(std::string_view bytes);  // whole elements only
  void count_lanes(std::string_view bytes);

  FloatLayout layout_;
  std::uint64_t position_ = 0;  // bytes scanned so far
  std::uint64_t nonfinite_ = 0;
  std::optional<std::uint64_t> first_;
  std::array<char, 8> carry_{};  // an element cut by the end of a chunk
  std::size_t carried_ = 0;
};

}  // namespace tfpm
