#include "parsers/detail/string_checksum.h"

#include <algorithm>
#include <limits>

#include "parsers/detail/crc32c.h"
#include "parsers/detail/wire.h"

namespace tfpm {
namespace {

constexpr unsigned kMaxVarintBytes = 10;
constexpr std::size_t kChecksumBytes = 4;

std::string integer_bytes(std::uint64_t value, std::size_t size, bool big_endian) {
  std::string out(size, '\0');
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<char>((value >> (8 * i)) & 0xff);
  if (big_endian) std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace

StringChecksum::StringChecksum(std::uint64_t elements, bool big_endian, std::size_t keep)
    : elements_left_(elements),
      big_endian_(big_endian),
      keep_(keep),
      phase_(elements == 0 ? Phase::kChecksum : Phase::kLengths) {}

void StringChecksum::end_length() {
  // Each length enters the checksum as a fixed-width integer, not as the varint that is stored.
  const std::size_t width = varint_ > std::numeric_limits<std::uint32_t>::max() ? 8 : 4;
  crc_ = crc32c_extend(crc_, integer_bytes(varint_, width, big_endian_));
  payload_left_ += varint_;
  if (payload_left_ < varint_) lengths_bad_ = true;  // a sum beyond 64 bits
  varint_ = 0;
  varint_bytes_ = 0;
  if (--elements_left_ == 0) phase_ = Phase::kChecksum;
}

void StringChecksum::take_length_byte(std::uint8_t byte) {
  varint_ |= static_cast<std::uint64_t>(byte & 0x7f) << (7 * varint_bytes_);
  ++varint_bytes_;
  if (byte < 0x80) {
    end_length();
  } else if (varint_bytes_ == kMaxVarintBytes) {
    lengths_bad_ = true;
    phase_ = Phase::kDone;
  }
}

void StringChecksum::take_checksum_byte(char byte) {
  stored_ += byte;
  if (stored_.size() < kChecksumBytes) return;
  std::string little = stored_;
  if (big_endian_) std::reverse(little.begin(), little.end());
  if (load_u32le(little) != crc32c_mask(crc_)) lengths_bad_ = true;
  crc_ = crc32c_extend(crc_, stored_);
  phase_ = payload_left_ > 0 ? Phase::kPayload : Phase::kDone;
}

void StringChecksum::keep(std::string_view bytes) {
  if (bytes.size() <= keep_ - kept_.size()) {
    kept_ += bytes;
  } else {
    keep_ = 0;
    kept_.clear();
  }
}

void StringChecksum::feed(std::string_view bytes) {
  while (!bytes.empty() && phase_ != Phase::kPayload && phase_ != Phase::kDone) {
    if (phase_ == Phase::kLengths) {
      take_length_byte(static_cast<std::uint8_t>(bytes.front()));
    } else {
      take_checksum_byte(bytes.front());
    }
    bytes.remove_prefix(1);
  }
  if (bytes.empty()) return;
  if (phase_ == Phase::kDone || bytes.size() > payload_left_) lengths_bad_ = true;
  crc_ = crc32c_extend(crc_, bytes);
  keep(bytes);
  payload_left_ -= std::min<std::uint64_t>(payload_left_, bytes.size());
  if (payload_left_ == 0) phase_ = Phase::kDone;
}

std::uint32_t StringChecksum::masked() const {
  return crc32c_mask(crc_);
}

StringDamage StringChecksum::damage() const {
  if (lengths_bad_) return StringDamage::kLengths;
  return phase_ == Phase::kDone ? StringDamage::kNone : StringDamage::kUnfinished;
}

void VariantChecksum::take_length_byte(std::uint8_t byte) {
  varint_ |= static_cast<std::uint64_t>(byte & 0x7f) << (7 * varint_bytes_);
  ++varint_bytes_;
  if (byte >= 0x80) {
    damaged_ = varint_bytes_ == kMaxVarintBytes;
    return;
  }
  crc_ = crc32c_extend(crc_, integer_bytes(varint_, sizeof(std::uint64_t), false));
  payload_left_ = varint_;
  varint_ = 0;
  varint_bytes_ = 0;
  phase_ = payload_left_ > 0 ? Phase::kPayload : Phase::kChecksum;
}

void VariantChecksum::take_checksum_byte(char byte) {
  stored_ += byte;
  if (stored_.size() < kChecksumBytes) return;
  damaged_ = load_u32le(stored_) != crc32c_mask(crc_);
  crc_ = crc32c_extend(crc_, stored_);
  stored_.clear();
  --elements_left_;
  phase_ = Phase::kLength;
}

void VariantChecksum::feed(std::string_view bytes) {
  while (!bytes.empty() && !damaged_) {
    if (elements_left_ == 0) {
      damaged_ = true;  // more bytes than elements
    } else if (phase_ == Phase::kPayload) {
      const std::size_t take = std::min<std::uint64_t>(payload_left_, bytes.size());
      crc_ = crc32c_extend(crc_, bytes.substr(0, take));
      payload_left_ -= take;
      bytes.remove_prefix(take);
      if (payload_left_ == 0) phase_ = Phase::kChecksum;
    } else {
      const char byte = bytes.front();
      bytes.remove_prefix(1);
      if (phase_ == Phase::kLength) {
        take_length_byte(static_cast<std::uint8_t>(byte));
      } else {
        take_checksum_byte(byte);
      }
    }
  }
}

std::uint32_t VariantChecksum::masked() const {
  return crc32c_mask(crc_);
}

StringDamage VariantChecksum::damage() const {
  if (damaged_) return StringDamage::kPayload;
  return elements_left_ == 0 ? StringDamage::kNone : StringDamage::kUnfinished;
}

}  // namespace tfpm
