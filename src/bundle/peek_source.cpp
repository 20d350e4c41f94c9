#include "bundle/peek_source.h"

#include <algorithm>
#include <cstring>

namespace tfpm {

Result<std::size_t> MemorySource::read(std::span<char> out) {
  const std::size_t n = std::min(out.size(), bytes_.size());
  if (n != 0) std::memcpy(out.data(), bytes_.data(), n);
  bytes_ = bytes_.subspan(n);
  return n;
}

std::span<const char> PeekSource::peek(std::size_t size) {
  constexpr std::size_t kStep = std::size_t{256} << 10;
  while (head_.size() - begin_ < size && !ended_) {
    const std::size_t old = head_.size();
    head_.resize(old + std::min(kStep, size - (old - begin_)));
    const Result<std::size_t> n = in_->read(std::span(head_).subspan(old));
    if (!n.ok()) pending_error_ = n.status();
    const std::size_t got = n.ok() ? *n : 0;
    ended_ = got == 0;
    head_.resize(old + got);
  }
  return std::span<const char>(head_).subspan(begin_, std::min(size, head_.size() - begin_));
}

Result<std::size_t> PeekSource::read(std::span<char> out) {
  if (begin_ < head_.size()) {
    const std::size_t n = std::min(out.size(), head_.size() - begin_);
    if (n != 0) std::memcpy(out.data(), head_.data() + begin_, n);
    begin_ += n;
    if (begin_ == head_.size()) {
      head_ = {};
      begin_ = 0;
    }
    return n;
  }
  if (pending_error_.has_value()) {
    const Status failed = std::move(*pending_error_);
    pending_error_.reset();
    return failed;
  }
  if (ended_) return std::size_t{0};
  return in_->read(out);
}

}  // namespace tfpm
