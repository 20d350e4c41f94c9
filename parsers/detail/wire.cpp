#include "parsers/detail/wire.h"

namespace tfpm {
namespace {

constexpr int kMaxGroupDepth = 100;
constexpr std::uint64_t kMaxFieldNumber = (std::uint64_t{1} << 29) - 1;

std::uint64_t load_le(std::string_view bytes, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = size; i > 0; --i) {
    value = (value << 8) | static_cast<unsigned char>(bytes[i - 1]);
  }
  return value;
}

}  // namespace

std::optional<std::uint64_t> take_varint(std::string_view& bytes) {
  constexpr std::size_t kMaxBytes = 10;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < kMaxBytes && i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if (i + 1 == kMaxBytes && byte > 1) return {};  // would not fit 64 bits
    value |= static_cast<std::uint64_t>(byte & 0x7f) << (7 * i);
    if (byte < 0x80) {
      bytes.remove_prefix(i + 1);
      return value;
    }
  }
  return {};
}

bool WireReader::read_tag() {
  const std::optional<std::uint64_t> tag = take_varint(rest_);
  if (!tag || *tag >> 3 == 0 || *tag >> 3 > kMaxFieldNumber || (*tag & 7) > 5) return false;
  field_ = static_cast<std::uint32_t>(*tag >> 3);
  type_ = static_cast<WireType>(*tag & 7);
  value_ = 0;
  bytes_ = {};
  return true;
}

bool WireReader::read_fixed(std::size_t size) {
  if (rest_.size() < size) return false;
  value_ = load_le(rest_, size);
  rest_.remove_prefix(size);
  return true;
}

bool WireReader::read_payload() {
  if (type_ == WireType::kFixed64) return read_fixed(8);
  if (type_ == WireType::kFixed32) return read_fixed(4);
  const std::optional<std::uint64_t> number = take_varint(rest_);
  if (!number) return false;
  if (type_ == WireType::kVarint) {
    value_ = *number;
    return true;
  }
  if (*number > rest_.size()) return false;
  bytes_ = rest_.substr(0, *number);
  rest_.remove_prefix(*number);
  return true;
}

bool WireReader::skip_group(int depth) {
  if (depth > kMaxGroupDepth) return false;
  const std::uint32_t number = field_;
  while (!rest_.empty()) {
    if (!read_tag()) return false;
    if (type_ == WireType::kGroupEnd) return field_ == number;
    if (!(type_ == WireType::kGroupStart ? skip_group(depth + 1) : read_payload())) return false;
  }
  return false;
}

bool WireReader::next_slowly() {
  while (ok_ && !rest_.empty()) {
    ok_ = read_tag() && type_ != WireType::kGroupEnd;
    if (!ok_) return false;
    if (type_ != WireType::kGroupStart) {
      ok_ = read_payload();
      return ok_;
    }
    ok_ = skip_group(1);
  }
  return false;
}

}  // namespace tfpm
