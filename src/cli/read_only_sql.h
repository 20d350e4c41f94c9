// SQL from a user on a store: may read everything, may change nothing.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/table.h"
#include "store/database.h"

namespace tfpm::cli {

// Where rows go: the columns once, before the first row, then every row. An error ends the query.
struct RowHandler {
  std::function<Status(std::vector<std::string>)> columns;
  std::function<Status(std::vector<Value>)> row;
};

// Runs one SELECT (or EXPLAIN, or a pragma that describes the schema), row by row. The connection
// is put behind an authorizer that stays: ATTACH, writes, extension loading and other pragmas are
// refused.
Status run_read_only(Database& db, const std::string& sql, const RowHandler& handler);

}  // namespace tfpm::cli
