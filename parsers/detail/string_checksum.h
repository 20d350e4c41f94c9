// The checksum rule of DT_STRING and DT_VARIANT tensors: not a CRC of the stored bytes (formats.md
// 1.4). Streaming; nothing of the payload is kept unless asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tfpm {

// What is wrong inside a string or variant tensor, for the problem's sentence.
enum class StringDamage { kNone, kLengths, kPayload, kUnfinished };

class StringChecksum {
 public:
  // `elements` strings follow. `keep` bytes of the payload are kept at most (for the object graph);
  // 0 = none.
  StringChecksum(std::uint64_t elements, bool big_endian, std::size_t keep = 0);

  void feed(std::string_view bytes);
  // Masked checksum of what was fed.
  std::uint32_t masked() const;
  // Whether the area of lengths was as its own checksum says and everything announced has come.
  StringDamage damage() const;
  // The payload, all strings joined, when it fitted into `keep` bytes.
  const std::string& kept() const { return kept_; }

 private:
  enum class Phase { kLengths, kChecksum, kPayload, kDone };
  void take_length_byte(std::uint8_t byte);
  void end_length();
  void take_checksum_byte(char byte);
  void keep(std::string_view bytes);

  std::uint64_t elements_left_;
  bool big_endian_;
  std::size_t keep_;
  Phase phase_;
  std::uint32_t crc_ = 0;
  std::uint64_t varint_ = 0;
  unsigned varint_bytes_ = 0;
  bool lengths_bad_ = false;
  std::string stored_;  // the four checksum bytes as they come
  std::uint64_t payload_left_ = 0;
  std::string kept_;
};

// Per element: length, bytes, and the running checksum over all that came before.
class VariantChecksum {
 public:
  explicit VariantChecksum(std::uint64_t elements) : elements_left_(elements) {}
  void feed(std::string_view bytes);
  std::uint32_t masked() const;
  StringDamage damage() const;

 private:
  enum class Phase { kLength, kPayload, kChecksum };
  void take_length_byte(std::uint8_t byte);
  void take_checksum_byte(char byte);

  std::uint64_t elements_left_;
  Phase phase_ = Phase::kLength;
  std::uint32_t crc_ = 0;
  std::uint64_t varint_ = 0;
  unsigned varint_bytes_ = 0;
  std::uint64_t payload_left_ = 0;
  std::string stored_;
  bool damaged_ = false;
};

}  // namespace tfpm
