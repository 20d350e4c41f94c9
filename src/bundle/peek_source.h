// Sources over memory: a look at the first bytes without losing them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bundle/byte_source.h"

namespace tfpm {

// Bytes that live elsewhere.
class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::span<const char> bytes) : bytes_(bytes) {}
  Result<std::size_t> read(std::span<char> out) override;

 private:
  std::span<const char> bytes_;
};

// A source that somebody else owns, where ownership is asked for.
class BorrowedSource : public ByteSource {
 public:
  explicit BorrowedSource(ByteSource& source) : source_(source) {}
  Result<std::size_t> read(std::span<char> out) override { return source_.read(out); }

 private:
  ByteSource& source_;
};

// Passes another source through and lets its head be seen first.
class PeekSource : public ByteSource {
 public:
  explicit PeekSource(std::unique_ptr<ByteSource> in) : in_(std::move(in)) {}
  // The first bytes not yet read, up to `size`; fewer only at the end or before an error, which the
  // reads behind these bytes will report. Valid until the next call.
  std::span<const char> peek(std::size_t size);
  // The last peek() met an error.
  bool failed() const { return pending_error_.has_value(); }
  Result<std::size_t> read(std::span<char> out) override;

 private:
  std::unique_ptr<ByteSource> in_;
  std::vector<char> head_;
  std::size_t begin_ = 0;  // of head_, what was read already
  bool ended_ = false;
  std::optional<Status> pending_error_;
};

}  // namespace tfpm
