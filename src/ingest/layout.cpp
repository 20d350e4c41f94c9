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
// One bit per byte that is the masked one once digits are turned into '0'.
unsigned same_bytes(const char* text, const char* masked) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
  const __m128i expected = _mm_loadu_si128(reinterpret_cast<const __m128i*>(masked));
  const __m128i digit = _mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8('0' - 1)),
                                      _mm_cmplt_epi8(bytes, _mm_set1_epi8('9' + 1)));
  const __m128i zeroed =
      _mm_or_si128(_mm_andnot_si128(digit, bytes), _mm_and_si128(digit, _mm_set1_epi8('0')));
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(zeroed, expected)));
}

// One bit per byte that `=>.<-` bars are drawn with.
unsigned bar_bytes(const char* text) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
  const __m128i drawn = _mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8('<' - 1)),
                                      _mm_cmplt_epi8(bytes, _mm_set1_epi8('>' + 1)));
  const __m128i empty = _mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8('-' - 1)),
                                      _mm_cmplt_epi8(bytes, _mm_set1_epi8('.' + 1)));
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(drawn, empty)));
}
#else
unsigned same_bytes(const char* text, const char* masked) {
  unsigned bits = 0;
  for (std::size_t i = 0; i < kBlock; ++i)
    bits |= ((is_digit(text[i]) ? '0' : text[i]) == masked[i] ? 1U : 0U) << i;
  return bits;
}

unsigned bar_bytes(const char* text) {
  unsigned bits = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    const char c = text[i];
    bits |= (c == '=' || c == '>' || c == '<' || c == '.' || c == '-' ? 1U : 0U) << i;
  }
  return bits;
}
#endif

// Whether bytes [begin, end) all have their bit; of_block(i) gives the bits of the 16 bytes at i.
// The text must have `size` >= 16 bytes.
template <typename OfBlock>
bool all_bytes(std::size_t begin, std::size_t end, std::size_t size, const OfBlock& of_block) {
  std::size_t i = begin;
  for (; i + kBlock <= end; i += kBlock)
    if (of_block(i) != 0xFFFF) return false;
  if (i == end) return true;
  // The rest as part of a block that lies inside the text.
  const std::size_t at = i + kBlock <= size ? i : size - kBlock;
  const unsigned wanted = ((1U << (end - at)) - 1U) & ~((1U << (i - at)) - 1U);
  return (of_block(at) & wanted) == wanted;
}

bool same_layout(std::string_view text, const Layout& layout) {
  if (text.size() != layout.length) return false;
  if (text.size() < kBlock) {
    char rest[kBlock] = {};
    std::memcpy(rest, text.data(), text.size());
    return same_bytes(rest, layout.masked.data()) == 0xFFFF;
  }
  const char* masked = layout.masked.data();
  const auto same = [&](std::size_t i) { return same_bytes(text.data() + i, masked + i); };
  if (layout.bar_end == 0) return all_bytes(0, text.size(), text.size(), same);
  const auto drawn = [&](std::size_t i) { return bar_bytes(text.data() + i); };
  return all_bytes(0, layout.bar_begin, text.size(), same) &&
         all_bytes(layout.bar_end, text.size(), text.size(), same) &&
         all_bytes(layout.bar_begin, layout.bar_end, text.size(), drawn);
}

// The upper bits of eight bytes: those that digits, blanks and bars have in common. Texts of one
// layout may not hash apart.
std::uint64_t coarse(const char* p) {
  std::uint64_t word = 0;
  std::memcpy(&word, p, 8);
  return word & 0xE0E0'E0E0'E0E0'E0E0U;
}

std::size_t set_of(std::string_view text, std::size_t sets) {
  constexpr std::uint64_t kMix = 0x9E37'79B9'7F4A'7C15U;
  std::uint64_t hash = text.size() * kMix;
  if (text.size() >= 8) {
    const std::size_t last = text.size() - 8;
    for (const std::size_t at : {std::size_t{0}, last / 4, last / 2, last - last / 4, last})
      hash = (hash ^ coarse(text.data() + at)) * kMix;
  }
  return static_cast<std::size_t>(hash >> 40U) % sets;
}

void mask_text(std::string_view text, std::string& masked) {
  masked.assign(text);
  for (char& c : masked)
    if (is_digit(c)) c = '0';
  masked.resize((text.size() + kBlock - 1) / kBlock * kBlock, '\0');
}

// The inside of the bar, when any bar bytes may stand there.
void mark_bar(std::string_view text, const BarRange& bar, Layout& layout) {
  layout.bar_begin = layout.bar_end = 0;
  if (bar.empty() || text.size() < kBlock) return;
  const std::string_view inside = text.substr(bar.begin + 1, bar.end - bar.begin - 2);
  if (inside.find_first_not_of("=><.-") != std::string_view::npos) return;
  layout.bar_begin = static_cast<std::uint32_t>(bar.begin + 1);
  layout.bar_end = static_cast<std::uint32_t>(bar.end - 1);
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
  mask_text(text, layout.masked);
  mark_bar(text, skeleton.bar, layout);
  layout.length = static_cast<std::uint32_t>(text.size());
  layout.series = form.series;
  layout.may_be_heads = form.may_be_heads;
  layout.slots.clear();
  layout.stamps.clear();
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
