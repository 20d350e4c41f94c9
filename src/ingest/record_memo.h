// What collectors remember of a record of one line, for all records that look the same but for the
// values of digits. It belongs to the line's shape and is filled as things are found out.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace tfpm {

struct RecordMemo {
  bool drawn = false;       // a bar that may look different lies in the text: the verdict and what
                            // collectives say depend on it
  bool head_drawn = false;  // and so near its begin that the key does
  // The learner's layout: valid for this learner as long as the layout at that index has this id.
  struct LayoutRef {
    const void* learner = nullptr;
    std::uint32_t index = 0;
    std::uint64_t id = 0;
  };
  LayoutRef layout;
  std::optional<std::uint64_t> shape_key;  // ShapeFilter::key_of()
  std::optional<bool> tells_nccl;          // CollectiveReader::may_be_nccl()
  std::optional<bool> tells_wait;          // CollectiveReader::may_be_wait()
  std::optional<bool> progress;            // without a header: it is a line of progress
  bool fixed_hits = false;                 // all of them hold the same literals
  // Signatures it confirms; absent: not judged yet, or every record must be.
  std::optional<std::vector<std::uint32_t>> verdict;
};

}  // namespace tfpm
