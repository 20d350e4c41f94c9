#include "parsers/detail/wire_stream.h"

#include <algorithm>
#include <cstring>

namespace tfpm {
namespace {

constexpr std::size_t kMaxHead = 20;  // tag and number, ten bytes each
constexpr std::uint64_t kMaxFieldNumber = (std::uint64_t{1} << 29) - 1;

}  // namespace

bool WireStream::fill(std::size_t wanted) {
  if (wanted > kWindow) return false;
  const std::size_t left = limit_ - cursor_;
  std::memmove(window_.data(), window_.data() + cursor_, left);
  base_ += cursor_;
  cursor_ = 0;
  limit_ = left;
  while (limit_ < kWindow && !ended_) {
    Result<std::size_t> got = in_.read({window_.data() + limit_, kWindow - limit_});
    if (!got.ok()) status_ = got.status();
    if (!got.ok() || *got == 0) {
      ended_ = true;
    } else {
      limit_ += *got;
    }
  }
  return limit_ >= wanted;
}

WireStream::Step WireStream::next(std::uint64_t end) {
  if (offset() >= end) return Step::kEnd;
  if (limit_ - cursor_ < kMaxHead) fill(kMaxHead);
  if (cursor_ == limit_) return end == kNoEnd ? Step::kEnd : Step::kCut;
  const std::uint64_t left = end - offset();
  std::string_view head = buffered().substr(0, std::min<std::uint64_t>(left, kMaxHead));
  const std::size_t before = head.size();
  const bool short_input = ended_ && limit_ - cursor_ < kMaxHead && left > before;
  const auto bad = [&] { return short_input ? Step::kCut : Step::kDamaged; };
  const std::optional<std::uint64_t> tag = take_varint(head);
  if (!tag) return bad();
  if (*tag >> 3 == 0 || *tag >> 3 > kMaxFieldNumber || (*tag & 7) > 5) return Step::kDamaged;
  field_ = static_cast<std::uint32_t>(*tag >> 3);
  type_ = static_cast<WireType>(*tag & 7);
  value_ = 0;
  if (type_ == WireType::kGroupStart || type_ == WireType::kGroupEnd) return Step::kDamaged;
  if (type_ == WireType::kFixed64 || type_ == WireType::kFixed32) {
    const std::size_t size = type_ == WireType::kFixed64 ? 8 : 4;
    if (head.size() < size) return bad();
    value_ = size == 8 ? load_u64le(head) : load_u32le(head);
    head.remove_prefix(size);
  } else {
    const std::optional<std::uint64_t> number = take_varint(head);
    if (!number) return bad();
    value_ = *number;
  }
  cursor_ += before - head.size();
  if (type_ == WireType::kBytes && value_ > end - offset()) return Step::kDamaged;
  return Step::kField;
}

bool WireStream::skip(std::uint64_t size) {
  while (size > 0) {
    const std::uint64_t here = std::min<std::uint64_t>(size, limit_ - cursor_);
    cursor_ += static_cast<std::size_t>(here);
    size -= here;
    if (size > 0 && !fill(1)) return false;
  }
  return true;
}

}  // namespace tfpm
