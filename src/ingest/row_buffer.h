// Rows of one source, held until the writer's turn comes.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/parser.h"

namespace tfpm {

class RowBuffer : public Sink {
 public:
  RowRef add(std::string_view table, std::vector<Field> fields) override;
  void problem(Problem problem) override { problems_.push_back(std::move(problem)); }
  void set_lines(std::uint64_t lines) override { lines_ = lines; }

  // Adds rows whose references count from the first of them.
  void append(std::vector<Row> rows);

  const std::vector<Row>& rows() const { return rows_; }
  const std::vector<Problem>& problems() const { return problems_; }
  std::optional<std::uint64_t> lines() const { return lines_; }

 private:
  std::int64_t& count_of(std::string_view table);

  std::vector<Row> rows_;
  std::vector<Problem> problems_;
  std::optional<std::uint64_t> lines_;
  std::vector<std::pair<std::string_view, std::int64_t>> counts_;  // rows so far, by table
};

}  // namespace tfpm
