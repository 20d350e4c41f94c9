// JSON text from a stream as single characters, made fit for a strict parser: NaN and Infinity,
// which Python writes, become null, and strings are cut at 64 KiB so that no token grows with the
// input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <vector>

#include "parsers/parser.h"

namespace tfpm {

class JsonFeed {
 public:
  explicit JsonFeed(ByteStream& in) : in_(in), buffer_(std::size_t{64} << 10) {}

  // The character at the cursor; '\0' at the end.
  char current() const { return current_; }
  bool at_end() const { return at_end_; }
  void advance();
  std::uint64_t offset() const { return base_ + at_; }
  const Status& status() const { return status_; }

 private:
  int peek();   // next raw byte without moving, -1 at the end
  char take();  // the byte peek() saw
  bool in_string(char c);
  void word();  // a bare word: null in place of what JSON does not know

  ByteStream& in_;
  std::vector<char> buffer_;
  std::size_t at_ = 0, size_ = 0;
  std::uint64_t base_ = 0;
  bool ended_ = false;
  bool string_ = false, escaped_ = false, cut_ = false;
  int hex_ = 0;  // digits of a \u still to come
  std::size_t string_size_ = 0;
  std::string_view pending_;  // rest of a word put in another's place
  char current_ = '\0';
  bool at_end_ = false;
  Status status_;
};

// A single-pass iterator over a feed, for parsers that want one. The default is the end.
class JsonFeedIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  JsonFeedIterator() = default;
  explicit JsonFeedIterator(JsonFeed& feed) : feed_(&feed) {}
  char operator*() const { return feed_->current(); }
  JsonFeedIterator& operator++() {
    feed_->advance();
    return *this;
  }
  JsonFeedIterator operator++(int) {
    JsonFeedIterator before = *this;
    feed_->advance();
    return before;
  }
  friend bool operator==(const JsonFeedIterator& a, const JsonFeedIterator& b) {
    return a.done() == b.done();
  }
  friend bool operator!=(const JsonFeedIterator& a, const JsonFeedIterator& b) { return !(a == b); }

 private:
  bool done() const { return feed_ == nullptr || feed_->at_end(); }
  JsonFeed* feed_ = nullptr;
};

}  // namespace tfpm
