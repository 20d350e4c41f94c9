// Memory for records that have to outlive their fragments, released when the chunk is left.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/record.h"

namespace tfpm {

class ChunkArena {
 public:
  // `chunk` needs no copies: it lives as long as the arena's content.
  void begin_chunk(std::string_view chunk) { chunk_ = chunk; }
  void end_chunk() {
    texts_.clear();
    marks_.clear();
    hits_.clear();
  }

  std::string_view keep(std::string_view text) {
    const bool inside =
        text.data() >= chunk_.data() && text.data() + text.size() <= chunk_.data() + chunk_.size();
    return inside || text.empty() ? text : texts_.emplace_back(text);
  }
  std::span<const Record::Mark> keep(const std::vector<Record::Mark>& marks) {
    if (marks.empty()) return {};
    return marks_.emplace_back(marks);
  }
  std::span<const std::uint32_t> keep(const std::vector<std::uint32_t>& hits) {
    if (hits.empty()) return {};
    return hits_.emplace_back(hits);
  }

 private:
  std::string_view chunk_;
  std::deque<std::string> texts_;
  std::deque<std::vector<Record::Mark>> marks_;
  std::deque<std::vector<std::uint32_t>> hits_;
};

}  // namespace tfpm
