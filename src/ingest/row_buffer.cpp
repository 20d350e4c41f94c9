#include "ingest/row_buffer.h"

#include <algorithm>

namespace tfpm {

RowRef RowBuffer::add(std::string_view table, std::vector<Field> fields) {
  auto count = std::find_if(counts_.begin(), counts_.end(),
                            [&](const auto& entry) { return entry.first == table; });
  if (count == counts_.end()) count = counts_.insert(counts_.end(), {table, 0});
  rows_.push_back({table, std::move(fields)});
  return {table, count->second++};
}

}  // namespace tfpm
