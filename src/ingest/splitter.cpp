#include "ingest/splitter.h"

#include <bit>
#include <cstddef>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tfpm {
namespace {

constexpr bool is_delimiter(char c) {
  return c == '\n' || c == '\r' || c == '\b';
}

// Bits of the delimiters among `size` <= 64 bytes.
std::uint64_t mask_of_rest(const char* data, std::size_t size) {
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (is_delimiter(data[i])) mask |= std::uint64_t{1} << i;
  }
  return mask;
}

#if defined(__SSE2__)
std::uint64_t mask16(const char* data) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(data));
  const __m128i newline = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n'));
  const __m128i carriage = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\r'));
  const __m128i backspace = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\b'));
  const __m128i any = _mm_or_si128(_mm_or_si128(newline, carriage), backspace);
  return static_cast<std::uint32_t>(_mm_movemask_epi8(any));
}

std::uint64_t mask64(const char* data) {
  return mask16(data) | (mask16(data + 16) << 16) | (mask16(data + 32) << 32) |
         (mask16(data + 48) << 48);
}

// Behind the run of \b that begins at `from`.
std::uint32_t skip_backspaces(std::string_view text, std::uint32_t from) {
  const __m128i backspace = _mm_set1_epi8('\b');
  while (from + 16 <= text.size()) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + from));
    const int same = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, backspace));
    if (same != 0xffff) {
      return from + static_cast<std::uint32_t>(std::countr_one(static_cast<unsigned>(same)));
    }
    from += 16;
  }
  while (from < text.size() && text[from] == '\b') ++from;
  return from;
}
#else
std::uint32_t skip_backspaces(std::string_view text, std::uint32_t from) {
  while (from < text.size() && text[from] == '\b') ++from;
  return from;
}

std::uint64_t mask64(const char* data) {
  return mask_of_rest(data, 64);
}
#endif

}  // namespace

void Splitter::reset(std::string_view chunk) {
  chunk_ = chunk;
  position_ = 0;
  const std::size_t whole = chunk.size() / 64;
  delimiters_.resize(whole + 1);
  for (std::size_t w = 0; w < whole; ++w) delimiters_[w] = mask64(chunk.data() + 64 * w);
  const std::size_t rest = chunk.size() - 64 * whole;
  delimiters_[whole] = mask_of_rest(chunk.data() + 64 * whole, rest) | (std::uint64_t{1} << rest);
}

std::uint32_t Splitter::find_delimiter(std::uint32_t from) const {
  std::size_t word = from / 64;
  std::uint64_t bits = delimiters_[word] & (~std::uint64_t{0} << (from % 64));
  while (bits == 0) bits = delimiters_[++word];
  return static_cast<std::uint32_t>(64 * word) + static_cast<std::uint32_t>(std::countr_zero(bits));
}

bool Splitter::next(Piece& piece) {
  const auto size = static_cast<std::uint32_t>(chunk_.size());
  if (position_ >= size) return false;
  piece.begin = position_;
  piece.end = find_delimiter(position_);
  piece.ends_line = piece.end < size && chunk_[piece.end] == '\n';
  position_ = piece.end + 1;
  if (piece.end < size && chunk_[piece.end] == '\b') {
    // A redraw erases by as many \b as the bar was wide: a fifth of a progress log.
    position_ = skip_backspaces(chunk_, position_);
  }
  return true;
}

}  // namespace tfpm
