// The arithmetic is that of polynomials over GF(2) modulo P, bits reflected: bit i of a 32-bit word
// stands for x^(31-i), so the product of two words comes out multiplied by one more x. With
// crc32(0, w) = w * x^32 mod P that gives every exponent below.
#include "parsers/detail/crc32c_fold.h"

#if defined(__x86_64__) && defined(__SSE4_2__)
#include <immintrin.h>
#endif

#include <cstring>

namespace tfpm {

#if defined(__x86_64__) && defined(__SSE4_2__)

namespace {

#define TFPM_FOLD_TARGET __attribute__((target("avx2,pclmul,vpclmulqdq,sse4.2")))

// x^n mod P.
constexpr std::uint32_t power(std::size_t n) {
  constexpr std::uint32_t kPolynomial = 0x82F63B78;
  std::uint32_t value = 0x80000000;
  for (; n > 0; --n) value = (value >> 1) ^ ((value & 1U) != 0 ? kPolynomial : 0);
  return value;
}

// Computed by the compiler, whatever it optimizes.
template <std::size_t N>
constexpr std::uint32_t kPower = power(N);

// A step of the loop multiplies 128 bytes and takes six words in each of three lanes: both take
// about the same number of cycles (three to eight words were measured).
constexpr std::size_t kFolded = 128;
constexpr std::size_t kLaneWords = 6;
constexpr std::size_t kLaneStep = kLaneWords * sizeof(std::uint64_t);
constexpr std::size_t kStep = kFolded + 3 * kLaneStep;

TFPM_FOLD_TARGET inline __m256i load(const char* at) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
}

TFPM_FOLD_TARGET inline std::uint64_t word(const char* at) {
  std::uint64_t value = 0;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// The state after `Words` words; unrolled by hand, which -O2 would not do.
template <std::size_t Words>
TFPM_FOLD_TARGET inline std::uint64_t take_words(std::uint64_t state, const char* at) {
  if constexpr (Words == 0) {
    return state;
  } else {
    return take_words<Words - 1>(_mm_crc32_u64(state, word(at)), at + sizeof(std::uint64_t));
  }
}

// Factors that move both halves of 16 bytes on by `Bytes`.
template <std::size_t Bytes>
TFPM_FOLD_TARGET inline __m128i factors() {
  return _mm_set_epi64x(kPower<8 * Bytes - 33>, kPower<8 * Bytes + 31>);
}

TFPM_FOLD_TARGET inline __m256i fold(__m256i what, __m256i by, __m256i onto) {
  const __m256i low = _mm256_clmulepi64_epi128(what, by, 0x00);
  const __m256i high = _mm256_clmulepi64_epi128(what, by, 0x11);
  return _mm256_xor_si256(_mm256_xor_si256(low, high), onto);
}

// Checksum of what four accumulators in a row stand for.
TFPM_FOLD_TARGET inline std::uint64_t reduce(__m256i a, __m256i b, __m256i c, __m256i d) {
  const __m256i by32 = _mm256_broadcastsi128_si256(factors<32>());
  const __m256i all = fold(fold(fold(a, by32, b), by32, c), by32, d);
  const __m128i first = _mm256_castsi256_si128(all);
  const __m128i by16 = factors<16>();
  const __m128i sum = _mm_xor_si128(_mm256_extracti128_si256(all, 1),
                                    _mm_xor_si128(_mm_clmulepi64_si128(first, by16, 0x00),
                                                  _mm_clmulepi64_si128(first, by16, 0x11)));
  const std::uint64_t half = _mm_crc32_u64(0, static_cast<std::uint64_t>(_mm_cvtsi128_si64(sum)));
  return _mm_crc32_u64(half, static_cast<std::uint64_t>(_mm_extract_epi64(sum, 1)));
}

// `state` moved on by as many bytes as `factor` says, up to the reduction that crc32 does.
TFPM_FOLD_TARGET inline std::uint64_t moved(std::uint64_t state, std::uint32_t factor) {
  const __m128i product =
      _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<std::int64_t>(state)),
                           _mm_cvtsi64_si128(static_cast<std::int64_t>(factor)), 0x00);
  return static_cast<std::uint64_t>(_mm_cvtsi128_si64(product));
}

// `Steps` steps: first the multiplied bytes, then the three lanes, one behind the other.
template <std::size_t Steps>
TFPM_FOLD_TARGET std::uint32_t run(std::uint32_t state, const char* at) {
  constexpr std::size_t kLane = Steps * kLaneStep;
  const __m256i by128 = _mm256_broadcastsi128_si256(factors<kFolded>());
  __m256i a = _mm256_setzero_si256();
  __m256i b = a;
  __m256i c = a;
  __m256i d = a;
  __m256i begin = _mm256_castsi128_si256(_mm_cvtsi32_si128(static_cast<int>(state)));
  begin = _mm256_inserti128_si256(begin, _mm_setzero_si128(), 1);
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  std::uint64_t third = 0;
  const char* lane = at + Steps * kFolded;
  for (std::size_t i = 0; i < Steps; ++i, at += kFolded, lane += kLaneStep) {
    a = fold(a, by128, _mm256_xor_si256(load(at), begin));
    b = fold(b, by128, load(at + 32));
    c = fold(c, by128, load(at + 64));
    d = fold(d, by128, load(at + 96));
    begin = _mm256_setzero_si256();
    first = take_words<kLaneWords>(first, lane);
    second = take_words<kLaneWords>(second, lane + kLane);
    third = take_words<kLaneWords>(third, lane + 2 * kLane);
  }
  const std::uint64_t front = moved(reduce(a, b, c, d), kPower<kLane * 3 * 8 - 33>) ^
                              moved(first, kPower<kLane * 2 * 8 - 33>) ^
                              moved(second, kPower<kLane * 8 - 33>);
  return static_cast<std::uint32_t>(_mm_crc32_u64(0, front) ^ third);
}

}  // namespace

bool crc32c_fold_fits() {
  static const bool fits = __builtin_cpu_supports("avx2") != 0 &&
                           __builtin_cpu_supports("vpclmulqdq") != 0 &&
                           __builtin_cpu_supports("avx512f") == 0;
  return fits;
}

std::uint32_t crc32c_fold(std::uint32_t state, std::string_view& bytes) {
  constexpr std::size_t kLongSteps = 60;  // 64 bytes less than 16 KiB
  constexpr std::size_t kShortSteps = kCrcFoldLeast / kStep;
  static_assert(kCrcFoldLeast % kStep == 0);
  while (bytes.size() >= kLongSteps * kStep) {
    state = run<kLongSteps>(state, bytes.data());
    bytes.remove_prefix(kLongSteps * kStep);
  }
  while (bytes.size() >= kShortSteps * kStep) {
    state = run<kShortSteps>(state, bytes.data());
    bytes.remove_prefix(kShortSteps * kStep);
  }
  return state;
}

#undef TFPM_FOLD_TARGET

#else

bool crc32c_fold_fits() {
  return false;
}

std::uint32_t crc32c_fold(std::uint32_t state, std::string_view&) {
  return state;
}

#endif

}  // namespace tfpm
