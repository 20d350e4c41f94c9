// Reads a bundle into the store: one pass over all members, a second one over checkpoint shards.
//
// Members are parsed by a pool of threads; one writer drains them in path order, so ids and rows do
// not depend on the number of threads or on the order of members in an archive (architecture.md
// section 3).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/series.h"
#include "base/signature.h"
#include "base/status.h"

namespace tfpm {

class Bundle;
class Database;

struct IngestProgress {
  std::uint64_t bytes_done = 0;   // of the input as stored
  std::uint64_t bytes_total = 0;  // 0 = unknown
  std::uint64_t members_done = 0;
};

struct IngestOptions {
  unsigned threads = 1;  // parser threads; 1 = everything on the calling thread
  // Called from the ingesting thread at most ten times a second; may be empty.
  std::function<void(const IngestProgress&)> progress;
};

struct IngestResult {
  std::vector<StreamSeries> series;  // what alignment chooses step markers from
  std::uint64_t members = 0;         // files in the bundle, containers not counted
  std::uint64_t bytes = 0;           // their size after decompression
  std::string fingerprint;           // 'xxh3-128:...' over paths and fingerprints of all members
  bool evidence_lost = false;  // a problem of severity data-loss or error was found (exit code 3)
};

// Fills source, stream, event, ... of an empty store. An error leaves the store unusable: delete
// it.
Result<IngestResult> ingest(Bundle& bundle, const std::vector<Signature>& signatures, Database& db,
                            const IngestOptions& options);

}  // namespace tfpm
