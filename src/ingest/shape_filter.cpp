#include "ingest/shape_filter.h"

#include <algorithm>
#include <cstring>

#include "ingest/digit_mask.h"

namespace tfpm {
namespace {

constexpr std::uint32_t kFrequent = 12;
constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15;

}  // namespace

std::uint64_t ShapeFilter::key_of(std::string_view message) {
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
  return hash;
}

bool ShapeFilter::frequent(std::uint64_t key) {
  const auto tag = static_cast<std::uint32_t>(key >> 32) | 1;
  Entry& entry = entries_[key % entries_.size()];
  if (entry.tag != tag) {
    entry = {tag, 1};
    return false;
  }
  return ++entry.count > kFrequent;
}

}  // namespace tfpm
