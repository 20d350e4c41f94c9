// SQL functions that analyses may use beside SQLite's own: median(x), mad(x).
#pragma once

#include "base/status.h"

namespace tfpm {

class Database;

// Registers on this connection. median(x): middle value, mean of the two middle ones for an even
// count. mad(x): median absolute deviation, times 1.4826. Both ignore NULL and give NULL for no
// values.
Status register_sql_functions(Database& db);

}  // namespace tfpm
