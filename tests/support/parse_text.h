// Runs a parser over text in memory and shows what it emitted.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/parser.h"

namespace tfpm {

// Bytes in memory as a stream that gives at most `chunk` bytes a call.
class MemoryStream : public ByteStream {
 public:
  explicit MemoryStream(std::string_view bytes, std::size_t chunk = 64 * 1024)
      : bytes_(bytes), chunk_(chunk) {}
  Result<std::size_t> read(std::span<char> out) override;

 private:
  std::string_view bytes_;
  std::size_t chunk_;
};

// Keeps rows and problems in the order they came.
class CollectingSink : public Sink {
 public:
  RowRef add(std::string_view table, std::vector<Field> fields) override;
  void problem(Problem problem) override;
  void set_lines(std::uint64_t lines) override { lines_ = lines; }

  const std::vector<Row>& rows() const { return rows_; }
  std::uint64_t lines() const { return lines_; }
  // One line a row, problems as rows of table `problem`.
  std::string text() const;

 private:
  std::vector<Row> rows_;
  std::map<std::string_view, std::int64_t> counts_;
  std::uint64_t lines_ = 0;
};

// What `parser` makes of `bytes` as member `path`.
std::string parse_to_text(const Parser& parser, const std::string& path, std::string_view bytes,
                          std::size_t chunk = 64 * 1024);

}  // namespace tfpm
