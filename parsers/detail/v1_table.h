// V1 checkpoints: one sorted table that holds the values themselves (formats.md 1.9).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/detail/fault.h"
#include "parsers/detail/tensor_entry.h"

namespace tfpm {

struct V1Tensor {
  TensorEntry entry;                       // name, dtype, shape, size; no place in a shard
  bool has_value = false;                  // at least one slice of it is in the file
  std::optional<std::uint64_t> nonfinite;  // of its float values; absent = not a tested type
  std::optional<std::int64_t> scalar;      // of an integer scalar
};

struct V1Table {
  bool is_v1 = false;     // the header entry lists saved slices
  bool readable = false;  // footer and index block read
  std::vector<V1Tensor> tensors;
  std::vector<Fault> faults;
};

V1Table read_v1_table(std::string_view file);

// Kind of sorted table by its first bytes: the value of its first entry, whose key is empty.
enum class TableKind { kNone, kBundle, kV1 };
TableKind table_kind_by_head(std::string_view head);

}  // namespace tfpm
