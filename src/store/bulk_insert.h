// Millions of rows into one table. SQLite reads them as it would read another table, which takes
// half the time of a statement bound and run for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "base/status.h"
#include "store/database.h"

namespace tfpm {

// NULL, integer, number or text. Text must live until the next call of RowFeed::next().
using BulkValue = std::variant<std::monostate, std::int64_t, double, std::string_view>;

// What is to be inserted, row by row. In the order of the table's primary key it goes fastest.
class RowFeed {
 public:
  virtual ~RowFeed() = default;
  // Moves to the first row, then to the next; false when there is none.
  virtual bool next() = 0;
  // Of the row it stands at; columns are numbered from 0.
  virtual BulkValue column(std::size_t index) const = 0;
};

// Inserts all rows of the feed into those columns of the table. Uses `db` until it returns; nobody
// else may meanwhile.
Status insert_all(Database& db, std::string_view table,
                  const std::vector<std::string_view>& columns, RowFeed& feed);

}  // namespace tfpm
