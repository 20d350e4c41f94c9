#include "ingest/member_stream.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>

namespace tfpm {

struct MemberStream::Hasher {
  XXH3_state_t* state = XXH3_createState();
  Hasher() { XXH3_128bits_reset(state); }
  ~Hasher() { XXH3_freeState(state); }
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;
};

MemberStream::MemberStream(ByteSource& source)
    : source_(source), hasher_(std::make_unique<Hasher>()) {}

MemberStream::~MemberStream() = default;

// Bytes from the source; 0 at its end or after an error.
std::size_t MemberStream::pull(std::span<char> out) {
  if (at_end_) return 0;
  const Result<std::size_t> n = source_.read(out);
  if (!n.ok()) status_ = n.status();
  if (!n.ok() || *n == 0) {
    at_end_ = true;
    return 0;
  }
  XXH3_128bits_update(hasher_->state, out.data(), *n);
  bytes_ += *n;
  return *n;
}

std::span<const char> MemberStream::head() {
  if (!head_read_) {
    head_read_ = true;
    head_.resize(kSniffBytes);
    std::size_t have = 0;
    // A full buffer proves nothing about the end, so only a read of 0 sets head_is_all().
    while (have < head_.size()) {
      const std::size_t n = pull({head_.data() + have, head_.size() - have});
      if (n == 0) break;
      have += n;
    }
    head_.resize(have);
    head_left_ = have;
  }
  return head_;
}

Result<std::size_t> MemberStream::read(std::span<char> out) {
  if (head_left_ > 0) {
    const std::size_t n = std::min(out.size(), head_left_);
    std::memcpy(out.data(), head_.data() + (head_.size() - head_left_), n);
    head_left_ -= n;
    return n;
  }
  const bool ended = at_end_;
  const std::size_t n = pull(out);
  if (n == 0 && !ended && !status_.ok()) return status_;
  return n;
}

void MemberStream::drain() {
  head_left_ = 0;
  std::vector<char> buffer(std::size_t{256} << 10);
  while (pull(buffer) > 0) {
  }
}

std::string MemberStream::fingerprint() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(hasher_->state);
  return fmt::format("xxh3-128:{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace tfpm
