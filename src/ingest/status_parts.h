// Parts of a status text that stand beside the status itself. Internal to src/ingest.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ingest/status_text.h"

namespace tfpm {

// The chain of remote targets, innermost first. `quoted`: the first hop's error may quote a hop
// before it that no line of its own tells.
std::vector<RemoteHop> parse_hops(std::string_view text, bool quoted);
// Code of the number behind `grpc_status` in the first error of a peer; empty = none.
std::string_view grpc_code(std::string_view text);
// The node an error is attributed to; empty = none is named.
std::string find_op(std::string_view text);

}  // namespace tfpm
