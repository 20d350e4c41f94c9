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
  for (std::size_t shift = 0; shift < 64; shift += std::size_t{layout.lane_bytes} * 8) {
    test.mask |= layout.exponent << shift;
    test.lowest |= lowest << shift;
    test.hit |= (layout.exponent + lowest) << shift;
  }
  return test;
}

constexpr std::size_t kBlock = 2048;  // cheap to look at again

struct Narrow {
  using Words = std::uint64_t __attribute__((vector_size(16)));
};
struct Wide {
  using Words = std::uint64_t __attribute__((vector_size(32)));
};

// Looks at one block through vectors of a width; compiled for each width of registers below.
template <typename Width>
[[gnu::always_inline]] inline bool block_is_finite(const char* data, const LaneTest& test) {
  using Words = typename Width::Words;
  const Words zero = {};
  const Words mask = zero + test.mask;
  const Words lowest = zero + test.lowest;
  // Four chains, by name: arrays would live in memory at -O2.
  Words a = zero;
  Words b = zero;
  Words c = zero;
  Words d = zero;
  for (const char* end = data + kBlock; data != end; data += 4 * sizeof(Words)) {
    Words next_a;
    Words next_b;
    Words next_c;
    Words next_d;
    std::memcpy(&next_a, data, sizeof(Words));
    std::memcpy(&next_b, data + sizeof(Words), sizeof(Words));
    std::memcpy(&next_c, data + 2 * sizeof(Words), sizeof(Words));
    std::memcpy(&next_d, data + 3 * sizeof(Words), sizeof(Words));
    a |= (next_a & mask) + lowest;
    b |= (next_b & mask) + lowest;
    c |= (next_c & mask) + lowest;
    d |= (next_d & mask) + lowest;
  }
  const Words all = (a | b) | (c | d);
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < sizeof all / sizeof any; ++i) any |= all[i];
  return (any & test.hit) == 0;
}

bool block_is_finite_baseline(const char* data, const LaneTest& test) {
  return block_is_finite<Narrow>(data, test);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) bool block_is_finite_wide(const char* data, const LaneTest& test) {
  return block_is_finite<Wide>(data, test);
}
#endif

using BlockTest = bool (*)(const char*, const LaneTest&);

// The widest that this processor has.
BlockTest block_test() {
#ifdef __x86_64__
  static const bool wide = __builtin_cpu_supports("avx2") != 0;
  if (wide) return block_is_finite_wide;
#endif
  return block_is_finite_baseline;
}

// How many lanes of `bytes` have all exponent bits set; `first` = offset of the first one, or
// bytes.size().
template <typename Lane>
std::uint64_t count_hits(std::string_view bytes, std::uint64_t exponent, std::size_t& first) {
  const auto pattern = static_cast<Lane>(exponent);
  std::uint64_t count = 0;
  first = bytes.size();
  for (std::size_t i = bytes.size(); i > 0; i -= sizeof(Lane)) {
    const std::size_t at = i - sizeof(Lane);
    Lane lane = 0;
    std::memcpy(&lane, bytes.data() + at, sizeof lane);
    const bool hit = static_cast<Lane>(lane & pattern) == pattern;
    count += hit ? 1 : 0;
    first = hit ? at : first;
  }
  return count;
}

std::uint64_t count_in(std::string_view bytes, const FloatLayout& layout, std::size_t& first) {
  switch (layout.lane_bytes) {
    case 1:
      return count_hits<std::uint8_t>(bytes, layout.exponent, first);
    case 2:
      return count_hits<std::uint16_t>(bytes, layout.exponent, first);
    case 4:
      return count_hits<std::uint32_t>(bytes, layout.exponent, first);
    default:
      return count_hits<std::uint64_t>(bytes, layout.exponent, first);
  }
}

}  // namespace

void FloatScan::count_lanes(std::string_view bytes) {
  std::size_t at = 0;
  const std::uint64_t hits = count_in(bytes, layout_, at);
  if (hits > 0 && !first_) first_ = position_ + at;
  nonfinite_ += hits;
}

void FloatScan::scan_lanes(std::string_view bytes) {
  const LaneTest test = lane_test(layout_);
  const BlockTest is_finite = block_test();
  while (bytes.size() >= kBlock) {
    if (!is_finite(bytes.data(), test)) count_lanes(bytes.substr(0, kBlock));
    position_ += kBlock;
    bytes.remove_prefix(kBlock);
  }
  count_lanes(bytes);
  position_ += bytes.size();
}

void FloatScan::feed(std::string_view bytes) {
  if (!active() || bytes.empty()) return;
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
