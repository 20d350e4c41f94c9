// SQL from a user on a store: may read everything, may change nothing.
#pragma once

#include <string>

#include "cli/table.h"
#include "store/database.h"

namespace tfpm::cli {

// Runs one SELECT (or EXPLAIN, or a pragma that describes the schema). The connection is put behind
// an authorizer that stays: ATTACH, writes, extension loading and other pragmas are refused.
Result<Table> run_read_only(Database& db, const std::string& sql);

}  // namespace tfpm::cli
