// What SQLite's result codes mean for a person.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace tfpm {

// The error for result code `code` of a statement; `why` is SQLite's own text. The statement is
// named only where the medium and the user are not to blame.
Status store_error(int code, std::string why, std::string_view sql);

}  // namespace tfpm
