// A member's bytes on their way to a parser: counted, hashed, and with the sniffed head put back.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bundle/byte_source.h"
#include "parsers/parser.h"

namespace tfpm {

class MemberStream : public ByteStream {
 public:
  // `source` must outlive the stream.
  explicit MemberStream(ByteSource& source);
  ~MemberStream() override;

  // The first bytes, up to kSniffBytes; read() gives them again. Call before read().
  std::span<const char> head();
  bool head_is_all() const { return at_end_; }

  Result<std::size_t> read(std::span<char> out) override;
  // Reads what the parser left, so that size and fingerprint are those of the whole member.
  void drain();

  std::uint64_t bytes() const { return bytes_; }
  bool complete() const { return at_end_ && status_.ok() && head_left_ == 0; }
  const Status& status() const { return status_; }
  std::string fingerprint() const;  // 'xxh3-128:<32 hex>' of what was read

 private:
  struct Hasher;
  std::size_t pull(std::span<char> out);

  ByteSource& source_;
  std::unique_ptr<Hasher> hasher_;
  std::vector<char> head_;
  std::size_t head_left_ = 0;  // bytes of head_ not handed out again yet
  bool head_read_ = false;
  bool at_end_ = false;
  std::uint64_t bytes_ = 0;  // pulled from the source
  Status status_;            // first reading error
};

}  // namespace tfpm
