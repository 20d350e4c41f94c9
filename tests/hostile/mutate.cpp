#include "hostile/mutate.h"

#include <algorithm>
#include <array>

#include "parsers/detail/crc32c.h"
#include "support/bundle_writer.h"

namespace tfpm::test {
namespace {

constexpr std::size_t kMaxBytes = 256 * 1024;  // parts may be doubled again and again
constexpr std::size_t kRecordHead = 12;        // length and its checksum
constexpr std::size_t kRecordTail = 4;

constexpr std::array<std::uint64_t, 9> kExtremes = {
    0, 1, 0x7f, 0x7fffffff, 0x80000000, 0xffffffff, 1ULL << 40, ~0ULL >> 1U, ~0ULL};

constexpr std::array<std::string_view, 12> kTexts = {"-1",       "99999999999999999999",
                                                     "1e999",    "NaN",
                                                     "\xff\xfe", std::string_view("\0", 1),
                                                     "\n",       "\r",
                                                     "\"",       "{",
                                                     "[[[[[[[[", "\x1b[31m"};

void put_extreme(std::string& bytes, Dice& dice) {
  const std::uint64_t value = kExtremes[dice.below(kExtremes.size())];
  const std::size_t width = std::size_t{1} << dice.below(4);
  const bool big_endian = dice.below(2) == 1;
  const std::size_t at = dice.below(bytes.size());
  for (std::size_t i = 0; i < width && at + i < bytes.size(); ++i) {
    const std::size_t byte = big_endian ? width - 1 - i : i;
    bytes[at + i] = static_cast<char>((value >> (8 * byte)) & 0xff);
  }
}

void damage_once(std::string& bytes, std::string_view other, Dice& dice) {
  const std::size_t at = dice.below(bytes.size());
  const std::size_t size = std::min(bytes.size() - at, dice.below(dice.below(2) == 0 ? 8 : 4096));
  switch (dice.below(9)) {
    case 0:
      if (!bytes.empty()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << dice.below(8)));
      return;
    case 1:
      if (!bytes.empty()) bytes[at] = static_cast<char>(dice.next());
      return;
    case 2:
    case 3:
      return put_extreme(bytes, dice);
    case 4:
      bytes.insert(at, varint(kExtremes[dice.below(kExtremes.size())]));
      return;
    case 5:
      bytes.erase(at, size);
      return;
    case 6:
      if (bytes.size() + size < kMaxBytes) bytes.insert(at, bytes.substr(at, size));
      return;
    case 7:
      bytes.insert(at, kTexts[dice.below(kTexts.size())]);
      return;
    default:
      bytes.replace(at, size, other.substr(dice.below(other.size()), size));
      return;
  }
}

}  // namespace

std::uint64_t Dice::next() {
  state_ += 0x9e3779b97f4a7c15;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::string mutate(std::string bytes, std::string_view other, Dice& dice) {
  const std::size_t times = 1 + dice.below(6);
  for (std::size_t i = 0; i < times; ++i) damage_once(bytes, other, dice);
  return bytes;
}

std::string mutate_records(std::string_view file, std::string_view other, Dice& dice) {
  std::string out;
  while (file.size() >= kRecordHead + kRecordTail) {
    std::uint64_t size = 0;
    for (std::size_t i = 8; i-- > 0;) size = size << 8 | static_cast<unsigned char>(file[i]);
    if (size > file.size() - kRecordHead - kRecordTail) break;
    const auto bytes = static_cast<std::size_t>(size);
    std::string record(file.substr(kRecordHead, bytes));
    if (dice.below(3) == 0) record = mutate(std::move(record), other, dice);
    const std::string length = u64le(record.size());
    out += length + u32le(crc32c_mask(crc32c(length)));
    out += record + u32le(crc32c_mask(crc32c(record)));
    file.remove_prefix(kRecordHead + bytes + kRecordTail);
  }
  return out;
}

}  // namespace tfpm::test
