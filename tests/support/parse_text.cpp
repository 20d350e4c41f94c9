#include "support/parse_text.h"

#include <algorithm>
#include <cstring>

namespace tfpm {

Result<std::size_t> MemoryStream::read(std::span<char> out) {
  const std::size_t n = std::min({out.size(), bytes_.size(), chunk_});
  if (n > 0) std::memcpy(out.data(), bytes_.data(), n);
  bytes_.remove_prefix(n);
  return n;
}

RowRef CollectingSink::add(std::string_view table, std::vector<Field> fields) {
  rows_.push_back({table, std::move(fields)});
  return {table, counts_[table]++};
}

void CollectingSink::problem(Problem problem) {
  rows_.push_back(
      {"problem",
       {{"code", text_value(problem.code)},
        {"severity", text_value(to_string(problem.severity))},
        {"byte_offset", problem.byte_offset ? int_value(*problem.byte_offset) : null_value()},
        {"detail", text_value(problem.detail)}}});
}

std::string CollectingSink::text() const {
  std::string out;
  for (const Row& row : rows_) out += to_text(row) + "\n";
  return out;
}

std::string parse_to_text(const Parser& parser, const std::string& path, std::string_view bytes,
                          std::size_t chunk) {
  MemoryStream stream(bytes, chunk);
  CollectingSink sink;
  const Status status = parser.parse({path, bytes.size()}, stream, sink);
  return sink.text() + (status.ok() ? "" : status.diagnostic().to_string() + "\n");
}

}  // namespace tfpm
