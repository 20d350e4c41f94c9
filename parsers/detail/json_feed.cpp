#include "parsers/detail/json_feed.h"

#include "base/ascii.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxString = std::size_t{64} << 10;

}  // namespace

int JsonFeed::peek() {
  if (at_ == size_ && !ended_) {
    base_ += size_;
    at_ = size_ = 0;
    Result<std::size_t> got = in_.read(buffer_);
    if (!got.ok()) status_ = got.status();
    if (!got.ok() || *got == 0) {
      ended_ = true;
    } else {
      size_ = *got;
    }
  }
  return at_ == size_ ? -1 : static_cast<unsigned char>(buffer_[at_]);
}

char JsonFeed::take() {
  return buffer_[at_++];
}

// Follows a string; false for a character that is left out because the string is too long. Leaving
// out begins between two characters, never inside an escape.
bool JsonFeed::in_string(char c) {
  const bool boundary = !escaped_ && hex_ == 0;
  if (boundary && c == '"') {
    string_ = false;
    return true;
  }
  if (boundary && string_size_ >= kMaxString) cut_ = true;
  ++string_size_;
  if (hex_ > 0) {
    --hex_;
  } else if (escaped_) {
    escaped_ = false;
    hex_ = c == 'u' ? 4 : 0;
  } else {
    escaped_ = c == '\\';
  }
  return !cut_;
}

// NaN, Infinity and -Infinity become null. Other words go on as they are; a minus was passed on
// only when a digit follows.
void JsonFeed::word() {
  while (peek() >= 0 && is_word(static_cast<char>(peek()))) take();
  pending_ = "ull";
  current_ = 'n';
}

void JsonFeed::advance() {
  if (!pending_.empty()) {
    current_ = pending_.front();
    pending_.remove_prefix(1);
    return;
  }
  while (peek() >= 0) {
    const char c = take();
    if (string_) {
      if (!in_string(c)) continue;
    } else if (c == '"') {
      string_ = true;
      string_size_ = 0;
      cut_ = false;
    } else if (c == 'N' || c == 'I' || (c == '-' && peek() == 'I')) {
      word();
      return;
    }
    current_ = c;
    return;
  }
  at_end_ = true;
  current_ = '\0';
}

}  // namespace tfpm
