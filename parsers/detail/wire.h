// Reader of protobuf's wire format over one small message held in memory (formats.md 0.1).
//
// Bounded and total: any bytes give a sequence of fields and then either a clean end or !ok().
// Unknown fields are the caller's to ignore. Views point into the message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tfpm {

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
  bool next();
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

 private:
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
std::uint32_t load_u32le(std::string_view bytes);
std::uint64_t load_u64le(std::string_view bytes);

}  // namespace tfpm
