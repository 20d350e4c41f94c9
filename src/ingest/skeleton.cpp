#include "ingest/skeleton.h"

#include <bit>
#include <cstring>

#include "ingest/number.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tfpm {
namespace {

using Bits = std::array<std::uint64_t, (kMaxRecord + 63) / 64 + 1>;

#if defined(__SSE2__)
// One bit per digit among 16 bytes. Bytes above 127 compare as negative and are no digits.
std::uint64_t digit_bits(const char* p) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  const __m128i low = _mm_cmpgt_epi8(bytes, _mm_set1_epi8('0' - 1));
  const __m128i high = _mm_cmplt_epi8(bytes, _mm_set1_epi8('9' + 1));
  return static_cast<std::uint64_t>(
      static_cast<unsigned>(_mm_movemask_epi8(_mm_and_si128(low, high))));
}
#else
std::uint64_t digit_bits(const char* p) {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < 16; ++i) bits |= static_cast<std::uint64_t>(is_digit(p[i])) << i;
  return bits;
}
#endif

void mark_digits(std::string_view text, Bits& bits) {
  std::size_t i = 0;
  for (; i + 16 <= text.size(); i += 16) {
    if (i % 64 == 0) bits[i / 64] = 0;
    bits[i / 64] |= digit_bits(text.data() + i) << (i % 64);
  }
  if (i % 64 == 0) bits[i / 64] = 0;
  if (i < text.size()) {
    char rest[16] = {};
    std::memcpy(rest, text.data() + i, text.size() - i);
    bits[i / 64] |= digit_bits(rest) << (i % 64);
  }
  bits[text.size() / 64 + 1] = 0;
}

bool find_runs(std::string_view text, Skeleton& out) {
  Bits bits;
  bits[text.size() / 64] = 0;
  mark_digits(text, bits);
  out.count = 0;
  std::uint64_t carry = 0;  // whether the last bit of the word before was a digit
  bool open = false;
  for (std::size_t word = 0; word <= text.size() / 64; ++word) {
    // A bit where a run begins or ends.
    std::uint64_t edges = bits[word] ^ ((bits[word] << 1U) | carry);
    carry = bits[word] >> 63U;
    for (; edges != 0; edges &= edges - 1) {
      const auto at =
          static_cast<std::uint16_t>(word * 64 + static_cast<std::size_t>(std::countr_zero(edges)));
      if (open) {
        out.runs[out.count++].end = at;
      } else {
        if (out.count == kMaxRuns) return false;
        out.runs[out.count].begin = at;
      }
      open = !open;
    }
  }
  if (open) out.runs[out.count++].end = static_cast<std::uint16_t>(text.size());
  return true;
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9E37'79B9'7F4A'7C15U;
  return hash ^ (hash >> 29U);
}

// Whether lengths of the runs beside this gap can decide what a token is: dates, clock times,
// thousands. Gaps that begin or end with a blank or hold a lone point do not.
bool is_joint(const char* p, std::size_t length) {
  if (length == 0 || length > 3) return false;
  return *p != ' ' && p[length - 1] != ' ' && !(length == 1 && *p == '.');
}

std::uint64_t clipped(const DigitRun& run) {
  const unsigned length = static_cast<unsigned>(run.end - run.begin);
  return length < 5 ? length : 5;
}

std::uint64_t hash_gap(std::uint64_t hash, const char* p, std::size_t length) {
  for (; length > 8; length -= 8, p += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, 8);
    hash = mix(hash, word);
  }
  std::uint64_t word = 0;
  std::memcpy(&word, p, length);
  return mix(hash, word + (static_cast<std::uint64_t>(length) << 60U));
}

// The text from `begin` to `end`, with what lies in the bar left out.
std::uint64_t hash_around(std::uint64_t hash, std::string_view text, std::size_t begin,
                          std::size_t end, const BarRange& bar) {
  if (bar.empty() || bar.begin < begin || bar.end > end)
    return hash_gap(hash, text.data() + begin, end - begin);
  hash = hash_gap(hash, text.data() + begin, bar.begin + 1 - begin);
  return hash_gap(hash, text.data() + bar.end - 1, end - bar.end + 1);
}

}  // namespace

bool make_skeleton(std::string_view text, Skeleton& out) {
  if (text.empty() || text.size() > kMaxRecord || !find_runs(text, out)) return false;
  out.bar = out.count > 0 ? find_bar(text) : BarRange{};
  std::uint64_t hash = 0x243F'6A88'85A3'08D3U;
  std::size_t from = 0;
  for (std::size_t i = 0; i < out.count; ++i) {
    const DigitRun& run = out.runs[i];
    const std::size_t gap = run.begin - from;
    hash = hash_around(hash, text, from, run.begin, out.bar);
    if (i > 0 && is_joint(text.data() + from, gap))
      hash = mix(hash, clipped(out.runs[i - 1]) * 8 + clipped(run));
    const unsigned length = static_cast<unsigned>(run.end - run.begin);
    if (length >= 8) hash = mix(hash, length);  // epoch seconds, hex blobs
    from = run.end;
  }
  out.hash = hash_around(hash, text, from, text.size(), out.bar);
  return true;
}

}  // namespace tfpm
