// Text of evidence made safe to keep.
#include "base/text.h"

#include <catch2/catch.hpp>

namespace tfpm {
namespace {

std::string plain(std::string_view text) {
  std::string out;
  append_without_ansi(text, out);
  return out;
}

}  // namespace

TEST_CASE("escape sequences of terminals leave nothing behind") {
  CHECK(plain("\x1b[1;31mred\x1b[0m") == "red");
  CHECK(plain("\x1b]0;title\atext") == "text");
  CHECK(plain("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\ behind") == "link behind");
  CHECK(plain("\x1b(B\x1b[mreset") == "reset");
  CHECK(plain("end\x1b") == "end");
}

TEST_CASE("an escape sequence that does not end hides no text") {
  CHECK(plain("\x1b]0;step 5 loss nan") == "0;step 5 loss nan");
  CHECK(plain("\x1b]0;step 5 \x1b[31mloss nan\x1b[0m\a") == "0;step 5 loss nan\a");
}

TEST_CASE("characters of UTF-8 have a size and a number") {
  CHECK(utf8_size("a", 0) == 1);
  CHECK(utf8_size("\xc3\xa9", 0) == 2);
  CHECK(utf8_code("\xc3\xa9") == 0xe9);
  CHECK(utf8_code("\xf0\x9f\x99\x82") == 0x1f642);
  for (const char* bad : {"\x80", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe6\x97"}) {
    CHECK(utf8_size(bad, 0) == 0);
  }
  CHECK(clean_utf8(std::string_view("a\0b", 3), 10) ==
        "a\xef\xbf\xbd"
        "b");
}

}  // namespace tfpm
