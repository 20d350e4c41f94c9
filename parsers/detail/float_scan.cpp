#include "parsers/detail/float_scan.h"

#include <algorithm>
#include <cstring>

namespace tfpm {
namespace {

// Many lanes in one 64-bit word: adding the exponent's lowest bit to the masked exponent carries
// into the bit above it exactly when all exponent bits are set. For every supported type that bit
// is the lane's sign bit, which the mask has cleared, so lanes do not disturb each other.
struct LaneTest {
  std::uint64_t mask = 0;
  std::uint64_t lowest = 0;
  std::uint64_t hit = 0;
};

LaneTest lane_test(const FloatLayout& layout) {
  LaneTest test;
  const std::uint64_t lowest = layout.exponent & (~layout.exponent + 1);
  for (std::size_t shift = 0; shift < 64; shift += layout.lane_bytes * 8) {
    test.mask |= layout.exponent << shift;
    test.lowest |= lowest << shift;
    test.hit |= (layout.exponent + lowest) << shift;
  }
  return test;
}

constexpr std::size_t kBlockWords = 64;
constexpr std::size_t kBlock = kBlockWords * sizeof(std::uint64_t);

// A constant trip count lets the compiler use vector registers at -O2.
bool block_is_finite(const char* data, const LaneTest& test) {
  std::array<std::uint64_t, kBlockWords> words;
  std::memcpy(words.data(), data, kBlock);
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < kBlockWords; ++i) seen |= (words[i] & test.mask) + test.lowest;
  return (seen & test.hit) == 0;
}

}  // namespace

void FloatScan::count_lanes(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size(); i += layout_.lane_bytes) {
    std::uint64_t lane = 0;
    std::memcpy(&lane, bytes.data() + i, layout_.lane_bytes);
    if ((lane & layout_.exponent) != layout_.exponent) continue;
    if (!first_) first_ = position_ + i;
    ++nonfinite_;
  }
}

void FloatScan::scan_lanes(std::string_view bytes) {
  const LaneTest test = lane_test(layout_);
  while (bytes.size() >= kBlock) {
    if (!block_is_finite(bytes.data(), test)) count_lanes(bytes.substr(0, kBlock));
    position_ += kBlock;
    bytes.remove_prefix(kBlock);
  }
  count_lanes(bytes);
  position_ += bytes.size();
}

void FloatScan::feed(std::string_view bytes) {
  if (!active()) return;
  if (carried_ > 0) {
    const std::size_t take = std::min(layout_.lane_bytes - carried_, bytes.size());
    std::memcpy(carry_.data() + carried_, bytes.data(), take);
    carried_ += take;
    bytes.remove_prefix(take);
    if (carried_ < layout_.lane_bytes) return;
    scan_lanes({carry_.data(), layout_.lane_bytes});
    carried_ = 0;
  }
  const std::size_t whole = bytes.size() - bytes.size() % layout_.lane_bytes;
  scan_lanes(bytes.substr(0, whole));
  carried_ = bytes.size() - whole;
  std::memcpy(carry_.data(), bytes.data() + whole, carried_);
}

}  // namespace tfpm
