#include "ingest/masked_text.h"

#include <algorithm>
#include <cstring>

#include "ingest/number.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tfpm {
namespace {

constexpr std::size_t kBlock = 16;

bool is_drawn(char c) {
  return c == '=' || c == '>' || c == '<' || c == '.' || c == '-';
}

constexpr std::uint64_t kMix = 0x9E37'79B9'7F4A'7C15U;

std::uint64_t mixed(std::uint64_t low, std::uint64_t high, std::size_t size) {
  const std::uint64_t hash = ((low ^ size) * kMix ^ (high >> 32U) ^ (high << 32U)) * kMix;
  return hash ^ (hash >> 32U);
}

#if defined(__SSE2__)
constexpr std::int64_t kEven = 0x6A09'E667'F3BC'C909;
constexpr std::int64_t kOdd = 0x3C6E'F372'FE94'F82B;

using Block = __m128i;
Block load(const char* p) {
  return _mm_loadu_si128(reinterpret_cast<const Block*>(p));
}
// Bytes by which the text is beyond what may stand there: at most `room` above `least`.
Block excess(const char* text, const char* least, const char* room) {
  return _mm_subs_epu8(_mm_sub_epi8(load(text), load(least)), load(room));
}
Block either(Block a, Block b) {
  return _mm_or_si128(a, b);
}
// Zero in every byte that bars are drawn with.
Block not_drawn(const char* p) {
  const Block bytes = load(p);
  const Block full = _mm_cmpeq_epi8(_mm_max_epu8(bytes, _mm_set1_epi8('<')),
                                    _mm_min_epu8(bytes, _mm_set1_epi8('>')));
  const Block empty = _mm_cmpeq_epi8(_mm_max_epu8(bytes, _mm_set1_epi8('-')),
                                     _mm_min_epu8(bytes, _mm_set1_epi8('.')));
  return _mm_cmpeq_epi8(either(full, empty), _mm_setzero_si128());
}
bool is_zero(Block block) {
  return _mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_setzero_si128())) == 0xFFFF;
}

// Hashes what blocks have in common with all that match: bytes with bit 6 set (letters, brackets)
// are neither digits nor drawn in bars and stay; of the others the upper bits are left.
class HashState {
 public:
  void add(const char* p) {
    const Block text = load(p);
    const Block exact = _mm_cmpgt_epi8(_mm_setzero_si128(), _mm_slli_epi16(text, 1));
    const Block coarse = _mm_and_si128(text, either(exact, _mm_set1_epi8(static_cast<char>(0xE0))));
    const Block keyed = _mm_xor_si128(coarse, key_);
    const Block product = _mm_mul_epu32(keyed, _mm_srli_epi64(keyed, 32));
    sum_ = _mm_add_epi64(sum_, _mm_add_epi64(product, _mm_shuffle_epi32(coarse, 0x4E)));
    key_ = _mm_add_epi64(key_, _mm_set_epi64x(kOdd, kEven));  // the order of blocks matters
  }
  std::uint64_t finish(std::size_t size) const {
    std::uint64_t halves[2];
    _mm_storeu_si128(reinterpret_cast<Block*>(halves), sum_);
    return mixed(halves[0], halves[1], size);
  }

 private:
  Block sum_ = _mm_setzero_si128();
  Block key_ = _mm_set_epi64x(kEven, kOdd);
};
#else
using Block = unsigned;
Block excess(const char* text, const char* least, const char* room) {
  unsigned beyond = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    const auto above = static_cast<unsigned char>(text[i] - least[i]);
    beyond |= above > static_cast<unsigned char>(room[i]) ? 1U : 0U;
  }
  return beyond;
}
Block either(Block a, Block b) {
  return a | b;
}
Block not_drawn(const char* p) {
  return std::all_of(p, p + kBlock, is_drawn) ? 0 : 1;
}
bool is_zero(Block block) {
  return block == 0;
}

class HashState {
 public:
  void add(const char* p) {
    constexpr std::uint64_t kOnes = 0x0101'0101'0101'0101U;
    for (std::size_t half = 0; half < 2; ++half) {
      std::uint64_t word = 0;
      std::memcpy(&word, p + 8 * half, 8);
      const std::uint64_t exact = ((word >> 6U) & kOnes) * 0xFFU;
      halves_[half] = (halves_[half] ^ (word & (exact | 0xE0U * kOnes))) * kMix;
    }
  }
  std::uint64_t finish(std::size_t size) const { return mixed(halves_[0], halves_[1], size); }

 private:
  std::uint64_t halves_[2] = {};
};
#endif

}  // namespace

void MaskedText::assign(std::string_view text, const BarRange& bar) {
  length_ = text.size();
  const std::size_t padded = (text.size() + kBlock - 1) / kBlock * kBlock;
  bytes_.assign(2 * padded, '\0');
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = is_digit(text[i]);
    bytes_[i] = digit ? '0' : text[i];
    bytes_[padded + i] = digit ? 9 : 0;
  }
  bar_begin_ = bar_end_ = 0;
  if (bar.empty()) return;
  const std::string_view inside = text.substr(bar.begin + 1, bar.end - bar.begin - 2);
  if (!std::all_of(inside.begin(), inside.end(), is_drawn)) return;
  bar_begin_ = bar.begin + 1;
  bar_end_ = bar.end - 1;
  for (std::size_t i = bar_begin_; i < bar_end_; ++i) {
    bytes_[i] = '-';
    bytes_[padded + i] = '>' - '-';  // bounds only: they are looked at one by one
  }
}

bool MaskedText::matches(std::string_view text) const {
  if (text.size() != length_) return false;
  const char* least = bytes_.data();
  const char* room = least + bytes_.size() / 2;
  if (text.size() < kBlock) {
    char rest[kBlock] = {};
    text.copy(rest, text.size());
    if (text.empty() || is_zero(excess(rest, least, room))) return drawn(text);
    return false;
  }
  // The last block overlaps the one before it.
  const std::size_t last = text.size() - kBlock;
  Block beyond = excess(text.data() + last, least + last, room + last);
  for (std::size_t i = 0; i < last; i += kBlock)
    beyond = either(beyond, excess(text.data() + i, least + i, room + i));
  return is_zero(beyond) && drawn(text);
}

bool MaskedText::drawn(std::string_view text) const {
  const std::string_view inside = text.substr(bar_begin_, bar_end_ - bar_begin_);
  if (inside.size() < kBlock) return std::all_of(inside.begin(), inside.end(), is_drawn);
  const std::size_t last = inside.size() - kBlock;
  Block other = not_drawn(inside.data() + last);
  for (std::size_t i = 0; i < last; i += kBlock)
    other = either(other, not_drawn(inside.data() + i));
  return is_zero(other);
}

std::uint64_t masked_hash(std::string_view text) {
  HashState state;
  if (text.size() < kBlock) {
    char padded[kBlock] = {};
    text.copy(padded, text.size());
    state.add(padded);
  } else {
    // The last block overlaps the one before it.
    const std::size_t last = text.size() - kBlock;
    for (std::size_t i = 0; i < last; i += kBlock) state.add(text.data() + i);
    state.add(text.data() + last);
  }
  return state.finish(text.size());
}

}  // namespace tfpm
