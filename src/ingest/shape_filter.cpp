#include "ingest/shape_filter.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace tfpm {
namespace {

constexpr std::size_t kShapeBytes = 24;
constexpr std::uint32_t kFrequent = 12;
constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15;

// Eight bytes with every ASCII digit replaced by '0'.
std::uint64_t mask_digits8(std::uint64_t bytes) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHigh = 0x80 * kOnes;
  const std::uint64_t low7 = bytes & ~kHigh;
  const std::uint64_t at_least_0 = low7 + (0x80 - '0') * kOnes;
  const std::uint64_t above_9 = low7 + (0x80 - ('9' + 1)) * kOnes;
  const std::uint64_t digit = (at_least_0 & ~above_9 & ~bytes) & kHigh;
  const std::uint64_t whole = (digit >> 7) * 0xff;
  return (bytes & ~whole) | (('0' * kOnes) & whole);
}

}  // namespace

bool ShapeFilter::frequent(std::string_view message) {
  std::array<char, kShapeBytes> head{};
  // copy() and not memcpy: an empty message may have no address.
  message.copy(head.data(), head.size());
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < kShapeBytes; i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, head.data() + i, 8);
    hash = (hash ^ mask_digits8(word)) * kMix;
    hash ^= hash >> 32;
  }
  const auto tag = static_cast<std::uint32_t>(hash >> 32) | 1;
  Entry& entry = entries_[hash % entries_.size()];
  if (entry.tag != tag) {
    entry = {tag, 1};
    return false;
  }
  return ++entry.count > kFrequent;
}

}  // namespace tfpm
