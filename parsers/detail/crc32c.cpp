#include "parsers/detail/crc32c.h"

#include <isa-l/crc.h>

#include <algorithm>
#include <cstring>
#ifdef __SSE4_2__
#include <nmmintrin.h>
#endif

namespace tfpm {
namespace {

// crc32_iscsi takes an int length; a multiple of 64 keeps its fast path aligned.
constexpr std::size_t kMaxStep = std::size_t{1} << 30;

std::uint32_t extend_long(std::uint32_t state, std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t step = std::min(bytes.size(), kMaxStep);
    // isa-l reads only; its signature lacks the const.
    auto* data = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
    state = crc32_iscsi(data, static_cast<int>(step), state);
    bytes.remove_prefix(step);
  }
  return state;
}

#ifdef __SSE4_2__
// Below this length the instruction itself beats the set-up cost of isa-l's folding code.
constexpr std::size_t kShort = 256;

std::uint32_t extend_short(std::uint32_t state, std::string_view bytes) {
  std::uint64_t wide = state;
  while (bytes.size() >= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    wide = _mm_crc32_u64(wide, word);
    bytes.remove_prefix(sizeof word);
  }
  state = static_cast<std::uint32_t>(wide);
  for (const char c : bytes) state = _mm_crc32_u8(state, static_cast<unsigned char>(c));
  return state;
}
#endif

}  // namespace

std::uint32_t crc32c_extend(std::uint32_t crc, std::string_view bytes) {
#ifdef __SSE4_2__
  if (bytes.size() < kShort) return ~extend_short(~crc, bytes);
#endif
  return ~extend_long(~crc, bytes);
}

}  // namespace tfpm
