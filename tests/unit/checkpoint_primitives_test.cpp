// Vectors of formats.md 0 and 1 for the blocks under the checkpoint reader.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "parsers/detail/crc32c.h"
#include "parsers/detail/float_scan.h"
#include "parsers/detail/ordered_code.h"
#include "parsers/detail/snappy_block.h"
#include "parsers/detail/string_checksum.h"
#include "parsers/detail/tensor_entry.h"
#include "parsers/detail/wire.h"
#include "support/bundle_writer.h"

namespace tfpm {
namespace {

using namespace std::string_literals;

std::string random_bytes(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::string out(size, '\0');
  for (char& c : out) c = static_cast<char>(random() & 0xff);
  return out;
}

// The checksum of `bytes` fed in pieces of `step`.
template <typename Checksum>
std::uint32_t fed_in_steps(Checksum sum, std::string_view bytes, std::size_t step) {
  for (std::size_t at = 0; at < bytes.size(); at += step) sum.feed(bytes.substr(at, step));
  CHECK(sum.damage() == StringDamage::kNone);
  return sum.masked();
}

}  // namespace

TEST_CASE("crc32c of any length, cut anywhere, is that of bit by bit") {
  std::string bytes(std::size_t{40} << 10, '\0');
  std::uint32_t random = 1;
  for (char& byte : bytes) byte = static_cast<char>((random = random * 1664525 + 1013904223) >> 24);
  const std::string_view all = bytes;
  for (const std::size_t size :
       {0UL, 7UL, 255UL, 256UL, 4079UL, 4080UL, 4081UL, 16319UL, 16320UL, 20400UL, 40959UL}) {
    const std::string_view part = all.substr(1, size);
    INFO(size);
    CHECK(crc32c_mask(crc32c(part)) == test::plain_masked_crc(part));
    const std::size_t cut = size / 3;
    CHECK(crc32c_extend(crc32c(part.substr(0, cut)), part.substr(cut)) == crc32c(part));
  }
}

TEST_CASE("crc32c gives the known values, masked and plain") {
  CHECK(crc32c("") == 0);
  CHECK(crc32c("123456789") == 0xE3069283);
  CHECK(crc32c(std::string(32, '\0')) == 0x8A9136AA);
  CHECK(crc32c(std::string(32, '\xff')) == 0x62A8AB43);
  std::string ascending;
  for (char c = 0; c < 32; ++c) ascending += c;
  CHECK(crc32c(ascending) == 0x46DD794E);
  CHECK(crc32c_mask(0xE3069283) == 0xC78AB0E5);
  CHECK(crc32c_mask(0) == 0xA282EAD8);
  CHECK(crc32c_unmask(0xC78AB0E5) == 0xE3069283);
}

TEST_CASE("crc32c agrees with the bitwise definition for every length and cut") {
  const std::string bytes = random_bytes(1500, 1);
  for (const std::size_t size : {1U, 7U, 8U, 9U, 255U, 256U, 257U, 511U, 1500U}) {
    const std::string_view part = std::string_view(bytes).substr(0, size);
    CHECK(crc32c_mask(crc32c(part)) == test::plain_masked_crc(part));
    for (const std::size_t cut : {std::size_t{0}, size / 3, size / 2, size}) {
      CHECK(crc32c_extend(crc32c(part.substr(0, cut)), part.substr(cut)) == crc32c(part));
    }
  }
}

TEST_CASE("snappy blocks decompress; bombs and damage do not") {
  CHECK(snappy_uncompress("\x11\x40hello hello hello") == "hello hello hello");
  CHECK_FALSE(snappy_uncompress("\x11\x40hello hello hell"));
  CHECK_FALSE(snappy_uncompress("\xff\xff\xff\xff\x0f\x00"s));  // claims 4 GiB
  CHECK_FALSE(snappy_uncompress("\x80\x80\x01\x00"s));          // claims 16 KiB in 4 bytes
  CHECK_FALSE(snappy_uncompress(""));
}

TEST_CASE("the wire reader takes varints of up to ten bytes and no more") {
  std::string_view bytes = "\xac\x02rest";
  CHECK(take_varint(bytes) == 300);
  CHECK(bytes == "rest");
  std::string minus_one = std::string(9, '\xff') + '\x01';
  std::string_view view = minus_one;
  CHECK(take_varint(view) == std::numeric_limits<std::uint64_t>::max());
  minus_one.back() = '\x02';
  view = minus_one;
  CHECK_FALSE(take_varint(view));
  view = "\x80";
  CHECK_FALSE(take_varint(view));
}

TEST_CASE("the wire reader skips what it does not know and stops at damage") {
  // Field 1 = 5, a group of field 2 around field 3, field 4 = "ab", fixed64 field 5.
  const std::string message =
      "\x08\x05\x13\x18\x01\x14\x22\x02"s + "ab" + "\x29\x01\0\0\0\0\0\0\0"s;
  WireReader in(message);
  REQUIRE(in.next());
  CHECK((in.is(1, WireType::kVarint) && in.value() == 5));
  REQUIRE(in.next());
  CHECK((in.is(4, WireType::kBytes) && in.bytes() == "ab"));
  REQUIRE(in.next());
  CHECK((in.is(5, WireType::kFixed64) && in.value() == 1));
  CHECK_FALSE(in.next());
  CHECK(in.ok());
  for (const std::string& damaged : {"\x08"s, "\x00\x01"s, "\x22\x05"s + "ab", "\x0e\x00"s, "\x14"s,
                                     "\x13\x08\x01"s, "\x29\x01"s}) {
    WireReader bad(damaged);
    while (bad.next()) {
    }
    CHECK_FALSE(bad.ok());
  }
}

TEST_CASE("a thousand nested groups are refused, not recursed into") {
  const std::string nested(1000, '\x0b');
  WireReader in(nested);
  CHECK_FALSE(in.next());
  CHECK_FALSE(in.ok());
}

TEST_CASE("slice keys decode as written") {
  const std::string key = "\0emb\0\x01\x01\x02\x80\x85\x80\x7f"s;
  const auto slice = decode_slice_key(key);
  REQUIRE(slice);
  CHECK(slice->tensor == "emb");
  CHECK(slice->slice == Slice{{0, 5}, {0, kWholeDimension}});
  CHECK(to_text(slice->slice) == "0,5:-");
  CHECK(test::slice_key("emb", {{0, 5}, {0, -1}}) == key);
  for (std::size_t cut = 0; cut < key.size(); ++cut)
    CHECK_FALSE(decode_slice_key(key.substr(0, cut)));
  CHECK_FALSE(decode_slice_key(key + "x"));
  CHECK_FALSE(decode_slice_key("\0a\xff\xff\0\x01\0"s));  // no such escape
  CHECK(decode_slice_key("\0a\0\xff\xff\0b\0\x01\0"s)->tensor == "a\0\xff"s + "b");
}

TEST_CASE("signed numbers of slice keys have one to ten bytes") {
  const auto decode = [](const std::string& number) {
    const auto key = decode_slice_key("\0t\0\x01\x01\x01"s + number + "\x80");
    return key ? std::optional<std::int64_t>(key->slice[0].start) : std::nullopt;
  };
  CHECK(decode("\x80") == 0);
  CHECK(decode("\x85") == 5);
  CHECK(decode("\xbf") == 63);
  CHECK(decode("\xc0\x40") == 64);
  CHECK(decode("\xc3\xe8") == 1000);
  CHECK(decode("\xf0\x42\x42\x42") == 0x424242);
  CHECK(decode("\x7f") == -1);
  CHECK(decode("\x40") == -64);
  CHECK(decode("\x3f\xbf") == -65);
  CHECK(decode("\x38\x00"s) == -2048);
  CHECK(decode("\xff\xc0\x7f\xff\xff\xff\xff\xff\xff\xff") ==
        std::numeric_limits<std::int64_t>::max());
  CHECK(decode("\x00\x3f\x80\x00\x00\x00\x00\x00\x00\x00"s) ==
        std::numeric_limits<std::int64_t>::min());
  CHECK_FALSE(decode("\xff\xe0\x7f\xff\xff\xff\xff\xff\xff\xff\xff"));
}

TEST_CASE("string tensors follow their own checksum rule, however they are cut") {
  const std::string stored = "\x02\x00\x03\x1b\x42\x8b\xca"s + "abxyz";
  for (std::size_t step = 1; step <= stored.size(); ++step) {
    CHECK(fed_in_steps(StringChecksum(3, false), stored, step) == 0x3FC4AD10);
  }
  std::uint32_t crc = 0;
  CHECK(test::string_payload({"ab", "", "xyz"}, crc) == stored);
  CHECK(crc == 0x3FC4AD10);
  CHECK(fed_in_steps(StringChecksum(0, false), "\xd8\xea\x82\xa2", 1) ==
        crc32c_mask(crc32c("\xd8\xea\x82\xa2")));
  StringChecksum keeping(3, false, 5);
  keeping.feed(stored);
  CHECK(keeping.kept() == "abxyz");
}

TEST_CASE("string tensors tell damaged lengths from a damaged payload") {
  std::string lengths = "\x03\x00\x03\x1b\x42\x8b\xca"s + "abxyz";
  StringChecksum bad(3, false);
  bad.feed(lengths);
  CHECK(bad.damage() == StringDamage::kLengths);
  StringChecksum cut(3, false);
  cut.feed("\x02\x00\x03\x1b"s);
  CHECK(cut.damage() == StringDamage::kUnfinished);
  StringChecksum endless(1, false);
  endless.feed(std::string(20, '\xff'));
  CHECK(endless.damage() == StringDamage::kLengths);
}

TEST_CASE("variant tensors carry a running checksum") {
  const std::string stored = "\x03\x0a\x01\x78\xbc\xfd\xf1\xe2"s;
  for (std::size_t step = 1; step <= stored.size(); ++step) {
    CHECK(fed_in_steps(VariantChecksum(1), stored, step) == 0xA3E1F8A1);
  }
  VariantChecksum more(1);
  more.feed(stored + "x");
  CHECK(more.damage() != StringDamage::kNone);
}

TEST_CASE("non-finite values are found wherever chunks cut them") {
  std::vector<float> values(1000, 1.5F);
  values[0] = std::nanf("");
  values[511] = std::numeric_limits<float>::infinity();
  values[999] = -std::numeric_limits<float>::infinity();
  const std::string bytes = test::floats(values);
  for (const std::size_t step : {1U, 3U, 7U, 512U, 1000U, 4000U}) {
    FloatScan scan(float_layout(kDtFloat));
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      scan.feed(std::string_view(bytes).substr(at, step));
    }
    CHECK(scan.nonfinite() == 3);
    CHECK(scan.first() == 0);
  }
}

TEST_CASE("each float type has its own exponent") {
  const auto count = [](DataType dtype, const std::string& bytes) {
    FloatScan scan(float_layout(dtype));
    std::string many;
    for (int i = 0; i < 600; ++i) many += bytes;
    scan.feed(many);
    return scan.nonfinite() / 600;
  };
  CHECK(count(19, "\x00\x7c\xff\x7b\x01\xfe"s) == 2);  // half: inf, max, nan
  CHECK(count(14, "\x80\x7f\x7f\x7f\x00\x7c"s) == 1);  // bfloat16: inf, max, a number
  CHECK(count(2, "\0\0\0\0\0\0\xf0\x7f\0\0\0\0\0\0\xe0\x7f"s) == 1);
  CHECK(count(8, "\0\0\x80\x7f\0\0\x80\x3f"s) == 1);  // complex64: inf + 1i
  CHECK(count(24, "\x7c\x7b"s) == 1);
  CHECK(count(25, "\x7f\x7c\xff"s) == 2);
  CHECK(count(3, "\xff\xff\xff\xff") == 0);  // integers have none
}

TEST_CASE("entries with impossible numbers do not decode") {
  CHECK(decode_tensor_entry("t", test::number_field(1, 1)));
  CHECK_FALSE(decode_tensor_entry("t", test::number_field(4, ~std::uint64_t{0})));
  CHECK_FALSE(decode_tensor_entry("t", test::number_field(5, std::uint64_t{1} << 63)));
  const std::string unknown_rank = test::bytes_field(2, test::number_field(3, 1));
  CHECK_FALSE(decode_tensor_entry("t", unknown_rank));
  const std::string negative =
      test::bytes_field(2, test::bytes_field(2, test::number_field(1, ~std::uint64_t{0})));
  CHECK_FALSE(decode_tensor_entry("t", negative));
  CHECK_FALSE(element_count({std::int64_t{1} << 40, std::int64_t{1} << 40}));
  CHECK(element_count({std::int64_t{1} << 40, 0}) == 0);
  CHECK(to_text(Shape{16, 32}) == "[16,32]");
  CHECK(to_text(Shape{}) == "[]");
}

TEST_CASE("slices must tile the whole") {
  CHECK(slices_tile({10, 4}, {{{0, 5}, {0, -1}}, {{5, 5}, {0, -1}}}));
  CHECK(slices_tile({4, 4}, {{{0, 2}, {0, 2}}, {{2, 2}, {0, 4}}, {{0, 2}, {2, 2}}}));
  CHECK_FALSE(slices_tile({10, 4}, {{{0, 5}, {0, -1}}, {{4, 5}, {0, -1}}}));
  CHECK_FALSE(slices_tile({10, 4}, {{{0, 5}, {0, -1}}}));
  CHECK_FALSE(slices_tile({10}, {{{0, 11}}}));
  CHECK_FALSE(slices_tile({10}, {{{0, 5}, {0, 5}}}));
  CHECK(slices_tile({}, {{}}));
}

}  // namespace tfpm
