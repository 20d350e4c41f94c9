// Memory for records that have to outlive their fragments, released when the chunk is left.
//
// What it handed out is used again for the next chunk: in the steady state nothing is allocated.
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/record.h"

namespace tfpm {

// Objects with assign() that are reused round after round; references stay valid within a round.
template <typename T>
class ReusePool {
 public:
  T& next() {
    if (used_ == items_.size()) items_.emplace_back();
    return items_[used_++];
  }
  void release() { used_ = 0; }

 private:
  std::deque<T> items_;
  std::size_t used_ = 0;
};

class ChunkArena {
 public:
  // `chunk` needs no copies: it lives as long as the arena's content.
  void begin_chunk(std::string_view chunk) { chunk_ = chunk; }
  void end_chunk() {
    texts_.release();
    marks_.release();
    hits_.release();
  }

  std::string_view keep(std::string_view text) {
    const bool inside =
        text.data() >= chunk_.data() && text.data() + text.size() <= chunk_.data() + chunk_.size();
    return inside || text.empty() ? text : texts_.next().assign(text);
  }
  std::span<const Record::Mark> keep(const std::vector<Record::Mark>& marks) {
    return keep_all(marks, marks_);
  }
  std::span<const std::uint32_t> keep(const std::vector<std::uint32_t>& hits) {
    return keep_all(hits, hits_);
  }

 private:
  template <typename T>
  static std::span<const T> keep_all(const std::vector<T>& items, ReusePool<std::vector<T>>& pool) {
    if (items.empty()) return {};
    std::vector<T>& kept = pool.next();
    kept.assign(items.begin(), items.end());
    return kept;
  }

  std::string_view chunk_;
  ReusePool<std::string> texts_;
  ReusePool<std::vector<Record::Mark>> marks_;
  ReusePool<std::vector<std::uint32_t>> hits_;
};

}  // namespace tfpm
