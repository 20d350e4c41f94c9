// Rows of one source, held until the writer's turn comes: packed, and in a file when there are
// many.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "ingest/spill_file.h"
#include "parsers/parser.h"

namespace tfpm {

class RowBuffer : public Sink {
 public:
  RowRef add(std::string_view table, std::vector<Field> fields) override;
  // Details may quote evidence: they are made text that every output can show.
  void problem(Problem problem) override;
  void set_lines(std::uint64_t lines) override { lines_ = lines; }

  // Adds rows whose references count from the first of them.
  void append(std::vector<Row> rows);

  // Calls visit(row) for all rows in order until it fails. The row is the visitor's.
  Status for_each(const std::function<Status(Row&)>& visit) const;
  std::vector<Row> rows() const;  // all of them, for few
  const std::vector<Problem>& problems() const { return problems_; }
  std::optional<std::uint64_t> lines() const { return lines_; }

  // Gives back memory that was kept for more rows.
  void trim();
  // Memory of the rows once trimmed, bytes.
  std::size_t bytes() const { return packed_.size(); }
  // Moves the rows that are in memory to the file, which must outlive the buffer. Rows may be added
  // afterwards.
  Status spill(SpillFile& file);

 private:
  // Table and columns of rows that look alike; both are string literals.
  struct Shape {
    std::string_view table;
    std::vector<std::string_view> columns;
  };
  // Writes the shape's number, and what it is when it is new.
  void pack_shape(std::string_view table, const std::vector<Field>& fields);
  std::int64_t& count_of(std::string_view table);

  std::string packed_;
  std::vector<Shape> shapes_;     // since the last trim(): no others are used again
  std::size_t older_shapes_ = 0;  // before it
  std::size_t last_shape_ = 0;
  SpillFile* file_ = nullptr;
  std::vector<SpillFile::Extent> spilled_;
  std::vector<Problem> problems_;
  std::optional<std::uint64_t> lines_;
  std::vector<std::pair<std::string_view, std::int64_t>> counts_;  // rows so far, by table
};

}  // namespace tfpm
