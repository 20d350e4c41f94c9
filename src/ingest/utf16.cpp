#include "ingest/utf16.h"

#include <algorithm>
#include <array>

namespace tfpm {
namespace {

constexpr std::string_view kLittleMark = "\xff\xfe";
constexpr std::string_view kBigMark = "\xfe\xff";
constexpr std::uint32_t kReplacement = 0xfffd;

bool is_high_surrogate(std::uint32_t c) {
  return c >= 0xd800 && c < 0xdc00;
}

bool is_low_surrogate(std::uint32_t c) {
  return c >= 0xdc00 && c < 0xe000;
}

}  // namespace

Utf16 guess_utf16(std::string_view head) {
  if (head.starts_with(kLittleMark)) return Utf16::kLittle;
  if (head.starts_with(kBigMark)) return Utf16::kBig;
  constexpr std::size_t kLooked = 4096;
  constexpr std::size_t kFewUnits = 8;
  head = head.substr(0, kLooked);
  std::array<std::size_t, 2> nuls{};  // on even and on odd places
  for (std::size_t i = 0; i < head.size(); ++i) nuls[i % 2] += head[i] == '\0' ? 1U : 0U;
  const std::size_t units = head.size() / 2;
  if (units < kFewUnits) return Utf16::kNo;
  if (nuls[0] == 0 && nuls[1] * 10 >= units * 8) return Utf16::kLittle;
  if (nuls[1] == 0 && nuls[0] * 10 >= units * 8) return Utf16::kBig;
  return Utf16::kNo;
}

Utf16Char utf16_at(std::string_view bytes, std::size_t i, Utf16 order) {
  const std::size_t low = order == Utf16::kLittle ? 0 : 1;
  const auto unit = [&](std::size_t at) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + low])) |
           (static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + 1 - low])) << 8);
  };
  const std::uint32_t c = unit(i);
  if (is_high_surrogate(c) && i + 3 < bytes.size() && is_low_surrogate(unit(i + 2))) {
    return {0x10000 + ((c - 0xd800) << 10) + (unit(i + 2) - 0xdc00), 4};
  }
  return {is_high_surrogate(c) || is_low_surrogate(c) ? kReplacement : c, 2};
}

void append_utf8(std::string& out, std::uint32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xc0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xe0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3f));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  }
}

void append_utf8_of_utf16(std::string_view bytes, Utf16 order, std::string& out) {
  const bool marked = bytes.starts_with(order == Utf16::kLittle ? kLittleMark : kBigMark);
  for (std::size_t i = marked ? 2 : 0; i + 1 < bytes.size();) {
    const Utf16Char next = utf16_at(bytes, i, order);
    append_utf8(out, next.code);
    i += next.bytes;
  }
}

// Takes what is there, but leaves a half character or the first half of a pair for the next time.
Status Utf16Stream::fill() {
  constexpr std::size_t kPiece = std::size_t{32} << 10;
  raw_.resize(kPiece);
  const Result<std::size_t> got = in_.read(std::span(raw_).subspan(kept_));
  if (!got.ok()) return got.status();
  ended_ = *got == 0;
  const std::size_t size = kept_ + *got;
  std::size_t whole = size & ~std::size_t{1};
  if (!ended_ && whole >= 2) {
    const std::size_t high = whole - (order_ == Utf16::kLittle ? 1 : 2);
    if ((static_cast<unsigned char>(raw_[high]) & 0xfc) == 0xd8) whole -= 2;
  }
  text_.clear();
  given_ = 0;
  std::string_view bytes(raw_.data(), whole);
  // A mark is one at the front alone; elsewhere it is a character.
  if (front_ && whole > 0) {
    append_utf8_of_utf16(bytes, order_, text_);
    front_ = false;
  } else {
    for (std::size_t i = 0; i + 1 < bytes.size();) {
      const Utf16Char next = utf16_at(bytes, i, order_);
      append_utf8(text_, next.code);
      i += next.bytes;
    }
  }
  kept_ = size - whole;
  std::copy_n(raw_.data() + whole, kept_, raw_.data());
  return ok_status();
}

Result<std::size_t> Utf16Stream::read(std::span<char> out) {
  while (given_ == text_.size() && !ended_) TFPM_RETURN_IF_ERROR(fill());
  const std::size_t n = text_.copy(out.data(), out.size(), given_);
  given_ += n;
  return n;
}

}  // namespace tfpm
