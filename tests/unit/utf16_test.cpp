// UTF-16 as UTF-8, in pieces of any size.
#include "ingest/utf16.h"

#include <catch2/catch.hpp>
#include <string>

#include "support/parse_text.h"

namespace tfpm {
namespace {

std::string utf16(const std::u16string& text, bool little) {
  std::string out;
  for (const char16_t c : text) {
    const char low = static_cast<char>(c & 0xff);
    const char high = static_cast<char>(c >> 8);
    out += little ? low : high;
    out += little ? high : low;
  }
  return out;
}

std::string read_all(const std::string& bytes, Utf16 order, std::size_t chunk, std::size_t want) {
  MemoryStream in(bytes, chunk);
  Utf16Stream stream(in, order);
  std::string out;
  std::string buffer(want, '\0');
  while (true) {
    const Result<std::size_t> got = stream.read(buffer);
    REQUIRE(got.ok());
    if (*got == 0) return out;
    out.append(buffer, 0, *got);
  }
}

}  // namespace

TEST_CASE("UTF-16 does not depend on the pieces it comes in", "[utf16]") {
  const std::u16string text =
      u"\xfeff"
      u"a\u00e4\u20ac\U0001f600\xd800 lone\xfeff\n";
  const std::string wanted = "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\xef\xbf\xbd lone\xef\xbb\xbf\n";
  for (const bool little : {true, false}) {
    const std::string bytes = utf16(text, little);
    const Utf16 order = guess_utf16(bytes);
    CHECK(order == (little ? Utf16::kLittle : Utf16::kBig));
    for (const std::size_t chunk : {1U, 2U, 3U, 5U, 4096U}) {
      for (const std::size_t want : {1U, 7U, 4096U}) {
        CHECK(read_all(bytes, order, chunk, want) == wanted);
      }
    }
    // Half a character at the end is none.
    CHECK(read_all(bytes + "x", order, 3, 7) == wanted);
  }
}

TEST_CASE("half a pair at the end of the file is a replacement", "[utf16]") {
  const std::string bytes = utf16(u"ab\xd83d", true);
  CHECK(read_all(bytes, Utf16::kLittle, 2, 10) == "ab\xef\xbf\xbd");
}

}  // namespace tfpm
