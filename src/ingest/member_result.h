// What reading one member gave.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/series.h"
#include "ingest/row_buffer.h"

namespace tfpm {

struct MemberResult {
  std::string path;
  std::string parent;  // path of the archive that holds it; empty = directly in the bundle
  std::string parser;  // empty = nobody
  std::string runner_up;
  std::optional<std::uint64_t> bytes;
  std::string fingerprint;  // empty = not read to the end
  std::string status;       // as in schema/10_source.sql
  std::string reason;       // empty = none
  RowBuffer rows;
  std::vector<StreamSeries> series;  // `stream` counts the member's stream rows
};

}  // namespace tfpm
