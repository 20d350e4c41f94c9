#include "parsers/detail/v1_table.h"

#include <limits>
#include <map>

#include "parsers/detail/float_scan.h"
#include "parsers/detail/sstable.h"
#include "parsers/detail/wire.h"

namespace tfpm {
namespace {

// Bytes of a tensor's values; 0 when they have no fixed width.
std::int64_t value_bytes(const TensorEntry& entry) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
  const std::uint64_t width = dtype_size(entry.dtype);
  const std::optional<std::uint64_t> count = element_count(entry.shape);
  if (!count || width == 0 || *count > kMax / width) return 0;
  return static_cast<std::int64_t>(*count * width);
}

// SavedSliceMeta: f1 name, f2 shape, f3 type.
std::optional<TensorEntry> decode_slice_meta(std::string_view message) {
  TensorEntry out;
  WireReader in(message);
  while (in.next()) {
    if (in.is(1, WireType::kBytes)) out.name = in.bytes();
    if (in.is(3, WireType::kVarint)) out.dtype = static_cast<DataType>(in.value());
    if (!in.is(2, WireType::kBytes)) continue;
    std::optional<Shape> shape = decode_shape(in.bytes());
    if (!shape) return {};
    out.shape = std::move(*shape);
  }
  if (!in.ok() || out.name.empty()) return {};
  out.size = value_bytes(out);
  return out;
}

class V1Builder {
 public:
  bool visit(std::string_view key, std::string_view value) {
    WireReader in(value);
    while (in.next()) {
      if (key.empty() && in.is(1, WireType::kBytes)) take_meta(in.bytes());
      if (!key.empty() && in.is(2, WireType::kBytes)) take_slice(in.bytes());
    }
    if (key.empty()) return out_.is_v1;
    return true;
  }

  V1Table finish(TableReading table) {
    out_.readable = table.has_footer;
    out_.faults = std::move(table.faults);
    return std::move(out_);
  }

 private:
  void take_meta(std::string_view message) {
    WireReader in(message);
    while (in.next()) {
      if (!in.is(1, WireType::kBytes)) continue;
      std::optional<TensorEntry> entry = decode_slice_meta(in.bytes());
      if (!entry) continue;
      out_.is_v1 = true;
      by_name_.emplace(entry->name, out_.tensors.size());
      out_.tensors.push_back({std::move(*entry), false, std::nullopt, std::nullopt});
    }
  }

  // SavedSlice: f1 name, f3 TensorProto.
  void take_slice(std::string_view message) {
    std::string_view name;
    std::string_view proto;
    WireReader in(message);
    while (in.next()) {
      if (in.is(1, WireType::kBytes)) name = in.bytes();
      if (in.is(3, WireType::kBytes)) proto = in.bytes();
    }
    const auto at = by_name_.find(name);
    if (!in.ok() || at == by_name_.end()) return;
    V1Tensor& tensor = out_.tensors[at->second];
    tensor.has_value = true;
    take_values(proto, tensor);
  }

  // TensorProto: f5 float_val, f6 double_val packed; f7 int_val, f10 int64_val.
  static void take_values(std::string_view proto, V1Tensor& tensor) {
    FloatScan scan(tensor.entry.dtype == kDtFloat || tensor.entry.dtype == kDtDouble
                       ? float_layout(tensor.entry.dtype)
                       : FloatLayout{});
    WireReader in(proto);
    while (in.next()) {
      if (in.is(5, WireType::kBytes) || in.is(6, WireType::kBytes)) scan.feed(in.bytes());
      const bool integers = in.field() == 7 || in.field() == 10;
      if (!integers || !tensor.entry.shape.empty()) continue;
      std::string_view packed = in.bytes();
      if (in.type() == WireType::kVarint) tensor.scalar = in.signed_value();
      if (const auto value = take_varint(packed)) {
        tensor.scalar = static_cast<std::int64_t>(*value);
      }
    }
    if (scan.active()) tensor.nonfinite = tensor.nonfinite.value_or(0) + scan.nonfinite();
  }

  V1Table out_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
};

// Skips the head of a Snappy block up to the bytes of its first literal, which is where the first
// entry of a table lies.
std::string_view first_literal(std::string_view head) {
  const std::optional<std::uint64_t> size = take_varint(head);
  if (!size || head.empty() || (head[0] & 3) != 0) return {};
  const unsigned length = static_cast<unsigned char>(head[0]) >> 2;
  const std::size_t extra = length >= 60 ? length - 59 : 0;
  return head.size() > extra ? head.substr(1 + extra) : std::string_view();
}

// The first entry shares nothing, has an empty key and a value.
TableKind kind_of_first_entry(std::string_view bytes) {
  if (bytes.size() < 4 || bytes[0] != 0 || bytes[1] != 0) return TableKind::kNone;
  bytes.remove_prefix(2);
  const std::optional<std::uint64_t> size = take_varint(bytes);
  if (!size || *size < 2 || bytes.size() < 2) return TableKind::kNone;
  // BundleHeaderProto begins with f1 num_shards, SavedTensorSlices with f1 meta {f1 ...}.
  if (bytes[0] == 0x08 && *size < 256) return TableKind::kBundle;
  if (bytes[0] != 0x0a) return TableKind::kNone;
  bytes.remove_prefix(1);
  const std::optional<std::uint64_t> meta = take_varint(bytes);
  return meta && *meta < *size && !bytes.empty() && bytes[0] == 0x0a ? TableKind::kV1
                                                                     : TableKind::kNone;
}

}  // namespace

V1Table read_v1_table(std::string_view file) {
  V1Builder builder;
  TableReading table = read_table(file, [&](std::string_view key, std::string_view value) {
    return builder.visit(key, value);
  });
  return builder.finish(std::move(table));
}

TableKind table_kind_by_head(std::string_view head) {
  const TableKind plain = kind_of_first_entry(head);
  return plain != TableKind::kNone ? plain : kind_of_first_entry(first_literal(head));
}

}  // namespace tfpm
