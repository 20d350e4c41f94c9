// UTF-16 text, as Windows' tools save it, as UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/parser.h"

namespace tfpm {

enum class Utf16 { kNo, kLittle, kBig };

// Byte order of UTF-16 text by its mark, or without one by where its NULs stand: nearly every
// second byte of text in Latin letters is one.
Utf16 guess_utf16(std::string_view head);

// The code point at bytes[i], and how many bytes it takes. A lone surrogate is U+FFFD; at least two
// bytes must be left.
struct Utf16Char {
  std::uint32_t code = 0;
  std::size_t bytes = 2;
};
Utf16Char utf16_at(std::string_view bytes, std::size_t i, Utf16 order);

void append_utf8(std::string& out, std::uint32_t code);

// Appends all whole characters of `bytes` but for a byte order mark at the front.
void append_utf8_of_utf16(std::string_view bytes, Utf16 order, std::string& out);

// A member's text as UTF-8, whatever pieces it comes in.
class Utf16Stream : public ByteStream {
 public:
  // `in` must outlive the stream.
  Utf16Stream(ByteStream& in, Utf16 order) : in_(in), order_(order) {}
  Result<std::size_t> read(std::span<char> out) override;

 private:
  Status fill();

  ByteStream& in_;
  Utf16 order_;
  std::vector<char> raw_;
  std::size_t kept_ = 0;  // bytes at the front of raw_ that wait for the rest of their character
  std::string text_;      // decoded
  std::size_t given_ = 0;
  bool front_ = true;
  bool ended_ = false;
};

}  // namespace tfpm
