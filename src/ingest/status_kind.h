// Which statuses only report that a peer or a connection is gone (algorithms.md section 4.4).
// Internal to src/ingest.
#pragma once

#include <string_view>

namespace tfpm {

// `code` and `text` of an innermost status. False for root statuses that merely travelled through
// a collective (mismatches, data loss, ...) and for storage services.
bool is_communication(std::string_view code, std::string_view text);

}  // namespace tfpm
