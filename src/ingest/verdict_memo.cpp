#include "ingest/verdict_memo.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "ingest/digit_mask.h"

namespace tfpm {
namespace {

// Longer records are judged anew each time: they are rare, and hashing them is no cheaper.
constexpr std::size_t kMaxMemoBytes = std::size_t{8} * 1024;
constexpr std::size_t kMaxEntries = 4096;

}  // namespace

void mask_digits(std::string_view text, std::string& out) {
  out.resize(text.size());
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data() + i, 8);
    bytes = mask_digits8(bytes);
    std::memcpy(out.data() + i, &bytes, 8);
  }
  for (; i < text.size(); ++i) out[i] = text[i] >= '0' && text[i] <= '9' ? '0' : text[i];
}

std::uint64_t VerdictMemo::key_of(std::string_view text, std::span<const std::uint32_t> hits) {
  mask_digits(text, masked_);
  const std::uint64_t candidates = XXH3_64bits(hits.data(), hits.size_bytes());
  return XXH3_64bits_withSeed(masked_.data(), masked_.size(), candidates);
}

bool VerdictMemo::shares(std::string_view text, std::span<const std::uint32_t> hits) const {
  return text.size() <= kMaxMemoBytes &&
         std::all_of(hits.begin(), hits.end(), [&](auto hit) { return matcher_.memoisable(hit); });
}

const SignatureSet& VerdictMemo::judge(std::string_view text, std::span<const std::uint32_t> hits) {
  if (!shares(text, hits)) {
    matcher_.judge(text, hits, unshared_);
    return unshared_;
  }
  if (known_.size() >= kMaxEntries) known_.clear();
  const auto [it, fresh] = known_.try_emplace(key_of(text, hits));
  if (fresh) matcher_.judge(text, hits, it->second);
  return it->second;
}

}  // namespace tfpm
