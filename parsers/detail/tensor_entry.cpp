#include "parsers/detail/tensor_entry.h"

#include <fmt/format.h>

#include <limits>

#include "parsers/detail/wire.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxRank = 254;
constexpr std::uint64_t kMaxElements = std::numeric_limits<std::int64_t>::max();

std::optional<std::int64_t> decode_dimension(std::string_view message) {
  std::int64_t size = 0;
  WireReader in(message);
  while (in.next()) {
    if (in.is(1, WireType::kVarint)) size = in.signed_value();
  }
  if (!in.ok() || size < 0) return {};
  return size;
}

// VersionDef: f2 min_consumer, f3 bad_consumers. This reader is format version 1.
bool version_supported(std::string_view message) {
  constexpr std::int64_t kOurVersion = 1;
  WireReader in(message);
  while (in.next()) {
    if (in.is(2, WireType::kVarint) && in.signed_value() > kOurVersion) return false;
    if (in.is(3, WireType::kVarint) && in.signed_value() == kOurVersion) return false;
    std::string_view packed = in.is(3, WireType::kBytes) ? in.bytes() : std::string_view();
    while (!packed.empty()) {
      const std::optional<std::uint64_t> version = take_varint(packed);
      if (!version) break;
      if (static_cast<std::int64_t>(*version) == kOurVersion) return false;
    }
  }
  return true;
}

bool read_entry_field(const WireReader& in, TensorEntry& out) {
  if (in.is(1, WireType::kVarint)) out.dtype = static_cast<DataType>(in.value());
  if (in.is(3, WireType::kVarint)) out.shard = static_cast<std::int32_t>(in.value());
  if (in.is(4, WireType::kVarint)) out.offset = in.signed_value();
  if (in.is(5, WireType::kVarint)) out.size = in.signed_value();
  if (in.is(6, WireType::kFixed32)) out.crc = static_cast<std::uint32_t>(in.value());
  if (in.is(2, WireType::kBytes)) {
    std::optional<Shape> shape = decode_shape(in.bytes());
    if (!shape) return false;
    out.shape = std::move(*shape);
  }
  if (in.is(7, WireType::kBytes)) {
    std::optional<Slice> slice = decode_slice(in.bytes());
    if (!slice) return false;
    out.slices.push_back(std::move(*slice));
  }
  return true;
}

}  // namespace

std::optional<Shape> decode_shape(std::string_view message) {
  Shape out;
  WireReader in(message);
  while (in.next()) {
    if (in.is(3, WireType::kVarint) && in.value() != 0) return {};
    if (!in.is(2, WireType::kBytes)) continue;
    const std::optional<std::int64_t> size = decode_dimension(in.bytes());
    if (!size || out.size() == kMaxRank) return {};
    out.push_back(*size);
  }
  if (!in.ok()) return {};
  return out;
}

std::optional<Slice> decode_slice(std::string_view message) {
  Slice out;
  WireReader in(message);
  while (in.next()) {
    if (!in.is(1, WireType::kBytes)) continue;
    SliceExtent extent;
    WireReader fields(in.bytes());
    while (fields.next()) {
      if (fields.is(1, WireType::kVarint)) extent.start = fields.signed_value();
      if (fields.is(2, WireType::kVarint)) extent.length = fields.signed_value();
    }
    if (!fields.ok() || out.size() == kMaxRank) return {};
    out.push_back(extent);
  }
  if (!in.ok()) return {};
  return out;
}

std::optional<BundleHeader> decode_bundle_header(std::string_view value) {
  BundleHeader out;
  WireReader in(value);
  while (in.next()) {
    if (in.is(1, WireType::kVarint)) out.shards = static_cast<std::int32_t>(in.value());
    if (in.is(2, WireType::kVarint)) out.big_endian = in.value() == 1;
    if (in.is(3, WireType::kBytes)) out.supported = version_supported(in.bytes());
  }
  if (!in.ok()) return {};
  return out;
}

std::optional<TensorEntry> decode_tensor_entry(std::string_view key, std::string_view value) {
  TensorEntry out;
  if (is_slice_key(key)) {
    std::optional<SliceKey> slice = decode_slice_key(key);
    if (!slice) return {};
    out.name = std::move(slice->tensor);
    out.part = std::move(slice->slice);
  } else {
    out.name = key;
  }
  WireReader in(value);
  while (in.next()) {
    if (!read_entry_field(in, out)) return {};
  }
  if (!in.ok() || out.offset < 0 || out.size < 0 || out.shard < 0) return {};
  if (out.size > std::numeric_limits<std::int64_t>::max() - out.offset) return {};
  return out;
}

std::string TensorEntry::label() const {
  return part ? fmt::format("{}[{}]", name, to_text(*part)) : name;
}

std::optional<std::uint64_t> element_count(const Shape& shape) {
  std::uint64_t count = 1;
  for (const std::int64_t dim : shape) {
    const auto size = static_cast<std::uint64_t>(dim);
    if (size != 0 && count > kMaxElements / size) return {};
    count *= size;
  }
  return count;
}

std::string to_text(const Shape& shape) {
  return fmt::format("[{}]", fmt::join(shape, ","));
}

}  // namespace tfpm
