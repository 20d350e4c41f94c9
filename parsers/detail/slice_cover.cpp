// Whether the slices of a partitioned tensor tile it.
#include <algorithm>

#include "parsers/detail/tensor_entry.h"

namespace tfpm {
namespace {

// Comparing pairs is quadratic when all slices begin alike; beyond this only volumes are added up.
constexpr std::size_t kMaxCompared = 4096;

// A slice as start and end per dimension; nothing when it does not fit the shape.
std::optional<Slice> absolute(const Shape& shape, const Slice& slice) {
  if (slice.size() != shape.size()) return {};
  Slice out = slice;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (out[i].length == kWholeDimension) out[i] = {0, shape[i]};
    if (out[i].start < 0 || out[i].length < 0 || out[i].length > shape[i] ||
        out[i].start > shape[i] - out[i].length) {
      return {};
    }
  }
  return out;
}

bool overlap(const Slice& a, const Slice& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].start >= b[i].start + b[i].length || b[i].start >= a[i].start + a[i].length) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool slices_tile(const Shape& shape, const std::vector<Slice>& slices) {
  const std::optional<std::uint64_t> total = element_count(shape);
  if (!total) return false;
  std::vector<Slice> parts;
  std::uint64_t covered = 0;
  for (const Slice& slice : slices) {
    std::optional<Slice> part = absolute(shape, slice);
    if (!part) return false;
    Shape lengths;
    for (const SliceExtent& extent : *part) lengths.push_back(extent.length);
    covered += element_count(lengths).value_or(0);
    if (covered > *total) return false;
    parts.push_back(std::move(*part));
  }
  if (parts.size() > kMaxCompared) return covered == *total;
  // Disjoint slices whose volumes add up to the whole cover it. Sorted by the first dimension, only
  // neighbours that still reach a slice's start can overlap it.
  std::sort(parts.begin(), parts.end());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t j = i + 1; j < parts.size(); ++j) {
      if (!parts[i].empty() && parts[j][0].start >= parts[i][0].start + parts[i][0].length) break;
      if (overlap(parts[i], parts[j])) return false;
    }
  }
  return covered == *total;
}

}  // namespace tfpm
