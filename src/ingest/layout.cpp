#include "ingest/layout.h"

#include <cstring>

#include "ingest/number.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tfpm {
namespace {

constexpr std::size_t kBlock = 16;

#if defined(__SSE2__)
// True when 16 bytes with their digits turned into '0' equal the masked ones.
bool same_block(const char* text, const char* masked) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
  const __m128i expected = _mm_loadu_si128(reinterpret_cast<const __m128i*>(masked));
  const __m128i digit = _mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8('0' - 1)),
                                      _mm_cmplt_epi8(bytes, _mm_set1_epi8('9' + 1)));
  const __m128i zeroed =
      _mm_or_si128(_mm_andnot_si128(digit, bytes), _mm_and_si128(digit, _mm_set1_epi8('0')));
  return _mm_movemask_epi8(_mm_cmpeq_epi8(zeroed, expected)) == 0xFFFF;
}
#else
bool same_block(const char* text, const char* masked) {
  for (std::size_t i = 0; i < kBlock; ++i)
    if ((is_digit(text[i]) ? '0' : text[i]) != masked[i]) return false;
  return true;
}
#endif

bool same_layout(std::string_view text, const Layout& layout) {
  if (text.size() != layout.length) return false;
  const std::size_t whole = text.size() / kBlock * kBlock;
  for (std::size_t i = 0; i < whole; i += kBlock)
    if (!same_block(text.data() + i, layout.masked.data() + i)) return false;
  if (whole == text.size()) return true;
  if (whole > 0) {
    const std::size_t last = text.size() - kBlock;
    return same_block(text.data() + last, layout.masked.data() + last);
  }
  char rest[kBlock] = {};
  std::memcpy(rest, text.data(), text.size());
  return same_block(rest, layout.masked.data());
}

// Eight bytes with the low bits of letters and digits alike: texts that differ in digits only may
// not hash apart.
std::uint64_t coarse(const char* p) {
  std::uint64_t word = 0;
  std::memcpy(&word, p, 8);
  // Digits share their upper four bits; what else these bits hold tells enough texts apart.
  return word & 0xF0F0'F0F0'F0F0'F0F0U;
}

std::size_t set_of(std::string_view text, std::size_t sets) {
  std::uint64_t hash = text.size();
  if (text.size() >= 8) {
    hash ^= coarse(text.data()) ^ (coarse(text.data() + text.size() - 8) >> 3U);
    hash ^= coarse(text.data() + (text.size() - 8) / 2) << 1U;
  }
  hash *= 0x9E37'79B9'7F4A'7C15U;
  return static_cast<std::size_t>(hash >> 40U) % sets;
}

std::string masked_text(std::string_view text) {
  std::string masked(text);
  for (char& c : masked)
    if (is_digit(c)) c = '0';
  masked.resize((text.size() + kBlock - 1) / kBlock * kBlock, '\0');
  return masked;
}

LayoutSlot place(std::string_view text, const Skeleton& skeleton, const TokenPlan& plan) {
  LayoutSlot slot;
  slot.token = read_token(text, skeleton, plan);
  slot.fixed = !plan.has_digits;
  slot.plain = plan.plain;
  return slot;
}

}  // namespace

Layout* LayoutCache::find(std::string_view text) {
  if (sets_.empty()) return nullptr;
  for (const std::int16_t way : sets_[set_of(text, kSets)].ways) {
    if (way < 0) return nullptr;
    Layout& layout = layouts_[static_cast<std::size_t>(way)];
    if (same_layout(text, layout)) return &layout;
  }
  return nullptr;
}

Layout& LayoutCache::add(std::string_view text, const Skeleton& skeleton, const Form& form) {
  if (sets_.empty()) sets_.resize(kSets);
  Set& set = sets_[set_of(text, kSets)];
  std::int16_t& way = set.ways[set.next];
  set.next = static_cast<std::uint8_t>((set.next + 1) % kWays);
  if (way < 0) {
    way = static_cast<std::int16_t>(layouts_.size());
    layouts_.emplace_back();
  }
  Layout& layout = layouts_[static_cast<std::size_t>(way)];
  layout = Layout();
  layout.masked = masked_text(text);
  layout.length = static_cast<std::uint32_t>(text.size());
  layout.series = form.series;
  layout.may_be_heads = form.may_be_heads;
  for (const TokenPlan& plan : form.slots) layout.slots.push_back(place(text, skeleton, plan));
  for (const TokenPlan& plan : form.stamps) layout.stamps.push_back(place(text, skeleton, plan));
  return layout;
}

void LayoutCache::clear() {
  sets_.clear();
  layouts_.clear();
}

Token read_slot(std::string_view text, const LayoutSlot& slot) {
  Token token = slot.token;
  if (slot.fixed) return token;
  if (slot.plain) {
    token.value = number_value(text.substr(token.begin, token.end - token.begin));
  } else {
    read_value(text, token);
  }
  return token;
}

}  // namespace tfpm
