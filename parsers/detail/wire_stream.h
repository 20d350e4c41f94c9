// Reader of protobuf's wire format over a stream of any size, through one window of 256 KiB
// (formats.md 0.1, performance.md 5). Nested messages are entered, not held: the caller keeps the
// offset where each ends, so there is no limit of 2 GiB. Only what take() gives is contiguous.
//
// Total on any bytes: a field that cannot be read is kDamaged, the end of the input inside a field
// kCut. Never goes beyond the `end` it is given.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "parsers/detail/wire.h"
#include "parsers/parser.h"

namespace tfpm {

class WireStream {
 public:
  static constexpr std::size_t kWindow = std::size_t{256} << 10;
  // `end` of a message whose length nobody wrote: the stream as a whole.
  static constexpr std::uint64_t kNoEnd = std::numeric_limits<std::uint64_t>::max();

  enum class Step {
    kField,    // field(), type() and value() are those of the next field
    kEnd,      // the message is over
    kCut,      // the input ended inside the message
    kDamaged,  // no field can start here, or it reaches beyond the message
  };

  explicit WireStream(ByteStream& in) : in_(in), window_(kWindow + kPadding) {}

  // Reads the tag at the cursor and its number; for kBytes value() is the length of the content,
  // which then lies at the cursor and must be entered, taken or skipped by the caller.
  Step next(std::uint64_t end);

  std::uint32_t field() const { return field_; }
  WireType type() const { return type_; }
  std::uint64_t value() const { return value_; }
  bool is(std::uint32_t field, WireType type) const { return field_ == field && type_ == type; }

  // Bytes from the start of the stream to the cursor.
  std::uint64_t offset() const { return base_ + cursor_; }
  // True once the input gave no more.
  bool ended() const { return ended_; }
  // The reason when the input failed instead of ending.
  const Status& status() const { return status_; }

  // The next `size` bytes, without moving; valid until the next call of anything. Nullopt when the
  // input ends before, or `size` is more than the window.
  std::optional<std::string_view> peek(std::size_t size) {
    if (limit_ - cursor_ < size && !fill(size)) return std::nullopt;
    return std::string_view(window_.data() + cursor_, size);
  }
  // peek() and move behind it.
  std::optional<std::string_view> take(std::size_t size) {
    const std::optional<std::string_view> bytes = peek(size);
    if (bytes) cursor_ += size;
    return bytes;
  }
  // Moves on by `size` bytes, whatever they are; false when the input ends before.
  bool skip(std::uint64_t size);

  // Bytes that may be read, and mean nothing, behind every view that peek(), take() and buffered()
  // give.
  static constexpr std::size_t kPadding = 8;

  // What is in the window from the cursor on, for callers that decode many small fields at once
  // and then skip() what they used.
  std::string_view buffered() const { return {window_.data() + cursor_, limit_ - cursor_}; }
  // Moves the cursor inside buffered().
  void advance(std::size_t size) { cursor_ += size; }

 private:
  bool fill(std::size_t wanted);

  ByteStream& in_;
  std::vector<char> window_;
  std::uint64_t base_ = 0;  // stream offset of window_[0]
  std::size_t cursor_ = 0, limit_ = 0;
  bool ended_ = false;
  Status status_;
  std::uint32_t field_ = 0;
  WireType type_ = WireType::kVarint;
  std::uint64_t value_ = 0;
};

}  // namespace tfpm
