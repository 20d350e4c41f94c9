// Values of a tensor bundle's index: BundleHeaderProto and BundleEntryProto (formats.md 1.3).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/detail/dtype.h"
#include "parsers/detail/ordered_code.h"

namespace tfpm {

inline constexpr std::int32_t kMaxShards = 100'000;

struct BundleHeader {
  std::int32_t shards = 0;
  bool big_endian = false;
  bool supported = true;  // false: written for readers newer than format version 1
};

using Shape = std::vector<std::int64_t>;

// One tensor, or one slice of a partitioned tensor.
struct TensorEntry {
  std::string name;
  DataType dtype = 0;
  Shape shape;  // empty = scalar
  std::int32_t shard = 0;
  std::int64_t offset = 0;    // bytes, in the shard
  std::int64_t size = 0;      // bytes
  std::uint32_t crc = 0;      // masked CRC-32C; of the string rule for string and variant
  std::vector<Slice> slices;  // not empty: a partitioned tensor, its bytes are in other entries
  std::optional<Slice> part;  // set: this entry is that slice of `name`

  bool partitioned() const { return !slices.empty(); }
  // Name of its row: the tensor's, or "name[0,5:-]" for a slice.
  std::string label() const;
};

// Nothing when the value does not parse.
std::optional<BundleHeader> decode_bundle_header(std::string_view value);

// Nothing when key or value does not parse, or holds a negative offset, size or dimension.
std::optional<TensorEntry> decode_tensor_entry(std::string_view key, std::string_view value);

// Number of elements; nothing when the product overflows.
std::optional<std::uint64_t> element_count(const Shape& shape);

// "[16,32]", "[]" for a scalar.
std::string to_text(const Shape& shape);

// TensorShapeProto; nothing when it does not parse or a dimension is unknown.
std::optional<Shape> decode_shape(std::string_view message);

// TensorSliceProto.
std::optional<Slice> decode_slice(std::string_view message);

// Whether `slices` are disjoint and cover a tensor of `shape`.
bool slices_tile(const Shape& shape, const std::vector<Slice>& slices);

}  // namespace tfpm
