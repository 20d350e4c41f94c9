#include "ingest/row_buffer.h"

#include <algorithm>

namespace tfpm {

std::int64_t& RowBuffer::count_of(std::string_view table) {
  auto count = std::find_if(counts_.begin(), counts_.end(),
                            [&](const auto& entry) { return entry.first == table; });
  if (count == counts_.end()) count = counts_.insert(counts_.end(), {table, 0});
  return count->second;
}

RowRef RowBuffer::add(std::string_view table, std::vector<Field> fields) {
  rows_.push_back({table, std::move(fields)});
  return {table, count_of(table)++};
}

void RowBuffer::append(std::vector<Row> rows) {
  const auto before = counts_;
  const auto base = [&](std::string_view table) {
    const auto found = std::find_if(before.begin(), before.end(),
                                    [&](const auto& entry) { return entry.first == table; });
    return found == before.end() ? 0 : found->second;
  };
  for (Row& row : rows) {
    for (Field& field : row.fields) {
      if (auto* ref = std::get_if<RowRef>(&field.value)) ref->index += base(ref->table);
    }
    add(row.table, std::move(row.fields));
  }
}

}  // namespace tfpm
