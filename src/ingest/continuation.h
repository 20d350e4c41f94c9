// Which lines begin a record and which continue one (log-formats.md section 2.4).
#pragma once

#include <string_view>

#include "ingest/record_ref.h"

namespace tfpm {

// Whether a line without header continues the open record `record`.
bool continues_record(const RecordRef& record, std::string_view line);

}  // namespace tfpm
