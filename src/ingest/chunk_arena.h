// Memory for records that have to outlive their fragment, released when the chunk is left.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/record_ref.h"

namespace tfpm {

class ChunkArena {
 public:
  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }
  std::span<const RecordLine> keep(std::vector<RecordLine> lines) {
    return lines_.emplace_back(std::move(lines));
  }
  std::span<const std::uint32_t> keep(std::span<const std::uint32_t> hits) {
    return hits_.emplace_back(hits.begin(), hits.end());
  }
  void clear() {
    texts_.clear();
    lines_.clear();
    hits_.clear();
  }

 private:
  std::deque<std::string> texts_;
  std::deque<std::vector<RecordLine>> lines_;
  std::deque<std::vector<std::uint32_t>> hits_;
};

}  // namespace tfpm
