#include "parsers/detail/ordered_code.h"

#include <fmt/format.h>

#include <bit>

namespace tfpm {
namespace {

constexpr std::uint64_t kMaxRank = 254;

std::uint8_t byte_at(std::string_view bytes, std::size_t i) {
  return static_cast<std::uint8_t>(bytes[i]);
}

// num(v): a length byte, then that many big-endian bytes.
std::optional<std::uint64_t> take_number(std::string_view& bytes) {
  if (bytes.empty()) return {};
  const std::size_t size = byte_at(bytes, 0);
  if (size > sizeof(std::uint64_t) || bytes.size() < size + 1) return {};
  std::uint64_t value = 0;
  for (std::size_t i = 1; i <= size; ++i) value = (value << 8) | byte_at(bytes, i);
  bytes.remove_prefix(size + 1);
  return value;
}

// str(s): 00 and ff are escaped as 00 ff and ff 00, the end is 00 01.
std::optional<std::string> take_string(std::string_view& bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::uint8_t byte = byte_at(bytes, i);
    if (byte != 0x00 && byte != 0xff) {
      out += bytes[i];
      continue;
    }
    if (i + 1 >= bytes.size()) return {};
    const std::uint8_t next = byte_at(bytes, i + 1);
    if (byte == 0x00 && next == 0x01) {
      bytes.remove_prefix(i + 2);
      return out;
    }
    if (next != (byte == 0x00 ? 0xff : 0x00)) return {};
    out += bytes[i];
    ++i;
  }
  return {};
}

// snum(v): the run of leading bits equal to the sign gives the length n of 1..10 bytes; the value
// is an n-byte two's complement number xored with that header.
std::optional<std::int64_t> take_signed(std::string_view& bytes) {
  if (bytes.empty()) return {};
  const bool negative = byte_at(bytes, 0) < 0x80;
  const std::uint8_t flip = negative ? 0xff : 0x00;
  const auto lead = [&](std::size_t i) {
    return static_cast<std::uint8_t>(byte_at(bytes, i) ^ flip);
  };
  auto size = static_cast<std::size_t>(std::countl_one(lead(0)));
  if (size == 8) {
    if (bytes.size() < 2) return {};
    size += static_cast<std::size_t>(std::countl_one(lead(1)));
  }
  if (size > 10 || bytes.size() < size) return {};
  std::uint64_t value = 0;
  std::size_t header_bits = size;
  for (std::size_t i = 0; i < size; ++i) {
    std::uint8_t byte = lead(i);
    const std::size_t clear = header_bits < 8 ? header_bits : 8;
    byte = static_cast<std::uint8_t>(byte & (0xff >> clear));
    header_bits -= clear;
    if (value >> 56 != 0) return {};  // wider than 64 bits
    value = (value << 8) | byte;
  }
  if (value >> 63 != 0) return {};
  bytes.remove_prefix(size);
  const auto magnitude = static_cast<std::int64_t>(value);
  return negative ? ~magnitude : magnitude;
}

}  // namespace

std::optional<SliceKey> decode_slice_key(std::string_view key) {
  const std::optional<std::uint64_t> marker = take_number(key);
  if (!marker || *marker != 0) return {};
  std::optional<std::string> name = take_string(key);
  if (!name) return {};
  const std::optional<std::uint64_t> rank = take_number(key);
  if (!rank || *rank > kMaxRank) return {};
  SliceKey out{std::move(*name), {}};
  for (std::uint64_t i = 0; i < *rank; ++i) {
    const std::optional<std::int64_t> start = take_signed(key);
    const std::optional<std::int64_t> length = start ? take_signed(key) : std::nullopt;
    if (!length) return {};
    out.slice.push_back({*start, *length});
  }
  if (!key.empty()) return {};
  return out;
}

std::string to_text(const Slice& slice) {
  std::string out;
  for (const SliceExtent& extent : slice) {
    if (!out.empty()) out += ':';
    out +=
        extent.length == kWholeDimension ? "-" : fmt::format("{},{}", extent.start, extent.length);
  }
  return out;
}

}  // namespace tfpm
