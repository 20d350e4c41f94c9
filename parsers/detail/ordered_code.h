// OrderedCode keys of partitioned tensors: one key per slice (formats.md 1.5).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tfpm {

// One dimension of a slice. A whole dimension has start 0 and length kWholeDimension.
inline constexpr std::int64_t kWholeDimension = -1;
struct SliceExtent {
  std::int64_t start = 0;
  std::int64_t length = kWholeDimension;
  bool operator==(const SliceExtent&) const = default;
  // The checker takes the 0 that the comparison is rewritten with for a null pointer.
  auto operator<=>(const SliceExtent&) const = default;  // NOLINT(modernize-use-nullptr)
};
using Slice = std::vector<SliceExtent>;

struct SliceKey {
  std::string tensor;
  Slice slice;
};

// True for a key that can only be a slice key: they begin with a zero byte, names never do.
inline bool is_slice_key(std::string_view key) {
  return !key.empty() && key[0] == '\0';
}

// Nothing when the key does not decode completely.
std::optional<SliceKey> decode_slice_key(std::string_view key);

// "0,5:-": start,length of each dimension, '-' for a whole one, as TensorFlow writes slices.
std::string to_text(const Slice& slice);

}  // namespace tfpm
