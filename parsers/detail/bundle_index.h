// A whole checkpoint index: the tensors a bundle of shards holds (formats.md 1.2 to 1.5).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "parsers/detail/fault.h"
#include "parsers/detail/tensor_entry.h"

namespace tfpm {

inline constexpr std::size_t kMaxBundleTensors = 1'000'000;

enum class IndexState {
  kGood,       // every block read, every entry decoded
  kPartial,    // some entries lost; the others are verified by their block's checksum
  kSalvaged,   // no usable footer: entries are as found, unverified
  kNotBundle,  // a sorted table of something else, or no table at all
};

struct BundleIndex {
  IndexState state = IndexState::kNotBundle;
  std::optional<BundleHeader> header;
  std::vector<TensorEntry> tensors;  // in key order; slices of partitioned tensors first
  std::vector<Fault> faults;         // why it is not kGood
};

BundleIndex read_bundle_index(std::string_view file);

}  // namespace tfpm
