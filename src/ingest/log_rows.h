// Rows of a source that was read as a log.
#pragma once

#include <memory>
#include <vector>

#include "ingest/log_index.h"
#include "ingest/stream_log.h"
#include "parsers/parser.h"

namespace tfpm {

// Emits stream, claim_identity, event, event_capture, signature_count, block_index, minute_count
// and context_line rows. `streams` in the order of their stream rows.
void emit_log_rows(const std::vector<std::unique_ptr<StreamLog>>& streams, const LogIndex& index,
                   const std::vector<Signature>& signatures, Sink& sink);

}  // namespace tfpm
