#include "parsers/checkpoint/partition.h"

#include <algorithm>
#include <map>

namespace tfpm {
namespace {

using Parts = std::map<Slice, const Tensor*>;

Shape slice_shape(const Shape& whole, const Slice& slice) {
  Shape out;
  for (std::size_t i = 0; i < slice.size() && i < whole.size(); ++i) {
    out.push_back(slice[i].length == kWholeDimension ? whole[i] : slice[i].length);
  }
  return out;
}

TensorStatus worse(TensorStatus a, TensorStatus b) {
  // From harmless to hopeless.
  constexpr TensorStatus kOrder[] = {TensorStatus::kOk,           TensorStatus::kUnsupported,
                                     TensorStatus::kUnread,       TensorStatus::kShort,
                                     TensorStatus::kMissing,      TensorStatus::kOverlap,
                                     TensorStatus::kSizeMismatch, TensorStatus::kCrcBad};
  const auto rank = [&](TensorStatus s) {
    return std::find(std::begin(kOrder), std::end(kOrder), s) - std::begin(kOrder);
  };
  return rank(a) >= rank(b) ? a : b;
}

void settle(Tensor& whole, const Parts* parts) {
  TensorResult& out = whole.result;
  if (!slices_tile(whole.entry.shape, whole.entry.slices)) {
    out.status = TensorStatus::kSizeMismatch;
    return;
  }
  out.status = TensorStatus::kOk;
  for (const Slice& slice : whole.entry.slices) {
    const auto part = parts != nullptr ? parts->find(slice) : Parts::const_iterator();
    if (parts == nullptr || part == parts->end()) {
      out.status = worse(out.status, TensorStatus::kMissing);
      continue;
    }
    const Tensor& tensor = *part->second;
    const bool fits = tensor.entry.shape == slice_shape(whole.entry.shape, slice);
    out.status = worse(out.status, fits ? tensor.result.status : TensorStatus::kSizeMismatch);
    if (tensor.result.nonfinite) {
      out.nonfinite = out.nonfinite.value_or(0) + *tensor.result.nonfinite;
    }
  }
}

}  // namespace

void settle_partitioned(Checkpoint& checkpoint) {
  std::map<std::string_view, Parts> parts;
  for (const Tensor& tensor : checkpoint.tensors) {
    if (tensor.entry.part) parts[tensor.entry.name].emplace(*tensor.entry.part, &tensor);
  }
  for (Tensor& tensor : checkpoint.tensors) {
    if (!tensor.entry.partitioned()) continue;
    const auto own = parts.find(tensor.entry.name);
    settle(tensor, own != parts.end() ? &own->second : nullptr);
  }
}

}  // namespace tfpm
