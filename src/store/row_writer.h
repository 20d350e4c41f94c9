// The single writer: inserts rows of one source after another and turns RowRefs into ids.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/row.h"
#include "base/status.h"
#include "store/database.h"

namespace tfpm {

class RowWriter {
 public:
  // `db` must outlive the writer.
  explicit RowWriter(Database& db) : db_(db) {}

  // Starts the rows of a source: `source_id` is filled in for tables that have the column and
  // RowRefs count from here.
  void begin_source(std::int64_t source_id);
  // Inserts a row and returns its id (rowid; 0 for tables without one). Rows of one source and
  // table get contiguous ids in order. A row whose table has a text primary key that already exists
  // is an error.
  Result<std::int64_t> write(const Row& row);

 private:
  struct Table {
    bool known = false;
    bool has_id = false;
    bool has_source = false;
    std::int64_t next_id = 1;
    std::int64_t first_of_source = 1;
  };
  struct Prepared {
    Statement statement;
    Table* table = nullptr;
  };

  Result<Table*> table(std::string_view name);
  Result<Prepared*> prepared(const Row& row);

  Database& db_;
  std::int64_t source_id_ = 0;
  bool in_source_ = false;
  std::map<std::string, Table, std::less<>> tables_;
  std::map<std::string, Prepared, std::less<>> statements_;
};

}  // namespace tfpm
