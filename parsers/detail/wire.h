// Reader of protobuf's wire format over one small message held in memory (formats.md 0.1).
//
// Bounded and total: any bytes give a sequence of fields and then either a clean end or !ok().
// Unknown fields are the caller's to ignore. Views point into the message.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace tfpm {

static_assert(std::endian::native == std::endian::little, "fixed widths are copied as they lie");

enum class WireType : std::uint8_t {
  kVarint = 0,
  kFixed64 = 1,
  kBytes = 2,
  kGroupStart = 3,
  kGroupEnd = 4,
  kFixed32 = 5,
};

class WireReader {
 public:
  explicit WireReader(std::string_view message) : rest_(message) {}

  // Moves to the next field; false at the end of the message or at the first damage. Groups are
  // skipped.
  bool next() { return take_short() || next_slowly(); }
  // False once something did not parse; what next() gave before is valid.
  bool ok() const { return ok_; }

  std::uint32_t field() const { return field_; }
  WireType type() const { return type_; }
  // True for the current field being number `field` of wire type `type`.
  bool is(std::uint32_t field, WireType type) const { return field_ == field && type_ == type; }
  // Value of a kVarint, kFixed64 or kFixed32 field; 0 for other types.
  std::uint64_t value() const { return value_; }
  std::int64_t signed_value() const { return static_cast<std::int64_t>(value_); }
  // Content of a kBytes field; empty for other types.
  std::string_view bytes() const { return bytes_; }
  // What stands behind the current field; a value of fixed width ends where it begins.
  std::string_view rest() const { return rest_; }

 private:
  // What most fields are: a one-byte tag before a varint of one byte, a length of one or two, or a
  // fixed width.
  // False leaves everything as it was.
  bool take_short() {
    if (rest_.size() < 2 || !ok_) return false;
    const auto tag = static_cast<unsigned char>(rest_[0]);
    const auto number = static_cast<unsigned char>(rest_[1]);
    const auto type = static_cast<WireType>(tag & 7U);
    if (tag < 8 || tag >= 0x80) return false;
    std::uint64_t value = 0;
    std::string_view bytes;
    std::size_t taken = 2;
    if (type == WireType::kVarint && number < 0x80) {
      value = number;
    } else if (type == WireType::kBytes && number < 0x80 && number <= rest_.size() - 2) {
      bytes = rest_.substr(2, number);
      taken += number;
    } else if (type == WireType::kFixed64 && rest_.size() > sizeof(std::uint64_t)) {
      std::memcpy(&value, rest_.data() + 1, sizeof(std::uint64_t));
      taken = 1 + sizeof(std::uint64_t);
    } else if (type == WireType::kFixed32 && rest_.size() > sizeof(std::uint32_t)) {
      std::memcpy(&value, rest_.data() + 1, sizeof(std::uint32_t));
      taken = 1 + sizeof(std::uint32_t);
    } else if (type == WireType::kBytes && number >= 0x80 && rest_.size() > 2 &&
               static_cast<unsigned char>(rest_[2]) < 0x80) {
      const std::size_t length =
          (number & 0x7fU) | static_cast<std::size_t>(static_cast<unsigned char>(rest_[2])) << 7;
      if (length > rest_.size() - 3) return false;
      bytes = rest_.substr(3, length);
      taken = 3 + length;
    } else {
      return false;
    }
    field_ = tag >> 3;
    type_ = type;
    value_ = value;
    bytes_ = bytes;
    rest_.remove_prefix(taken);
    return true;
  }
  bool next_slowly();
  bool read_tag();
  bool read_payload();
  bool skip_group(int depth);
  bool read_fixed(std::size_t size);

  std::string_view rest_;
  bool ok_ = true;
  std::uint32_t field_ = 0;
  WireType type_ = WireType::kVarint;
  std::uint64_t value_ = 0;
  std::string_view bytes_;
};

// Takes a varint of at most 10 bytes off the front of `bytes`; nothing when it is unfinished or too
// long, `bytes` is then unspecified.
std::optional<std::uint64_t> take_varint(std::string_view& bytes);

// Little-endian integers at the front of `bytes`, which must be long enough.
inline std::uint32_t load_u32le(std::string_view bytes) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}
inline std::uint64_t load_u64le(std::string_view bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

}  // namespace tfpm
