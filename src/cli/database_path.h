#pragma once

#include <string>

#include "store/database.h"

namespace tfpm::cli {

// What a user means by DB: the file, or the output directory of `analyze` that holds it.
std::string database_path(const std::string& given);

// Opens the DB of a command, for reading.
Result<Database> open_database(const std::string& given);
// The same for `diagnose`, which writes.
Result<Database> open_database_for_update(const std::string& given);

}  // namespace tfpm::cli
