// Brings checkpoints of a bundle to the set that judges them (parsers/checkpoint_set.h).
//
// First pass: every member is shown to the set; small files it asks for are read into memory. Data
// shards are left alone then, because which of their bytes are which tensor is known only when all
// indexes were seen. Second pass: wanted shards are read once, checksums and fingerprint together.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "bundle/bundle.h"
#include "ingest/member_result.h"
#include "ingest/member_stream.h"
#include "ingest/parallel_walk.h"
#include "parsers/checkpoint_set.h"

namespace tfpm {

class CheckpointIntake {
 public:
  // First pass; safe to call from several threads. When the set asks for the content it is read
  // from `stream` to its end and kept for the parser: read it again from the returned text, which
  // is empty otherwise. `stream` stays at its beginning when nothing was asked.
  std::string show(const Member& member, MemberStream& stream);

  // Second pass over the bundle, only if a shard is wanted.
  Status read_shards(ParallelWalk& walk, std::map<std::string, MemberResult>& members,
                     const std::function<void()>& tick);
  // Adds the rows of all checkpoints to the members they belong to. Call last.
  void finish(std::map<std::string, MemberResult>& members);

 private:
  bool any_wanted(const std::map<std::string, MemberResult>& members) const;

  std::mutex mutex_;
  CheckpointSet set_;
};

}  // namespace tfpm
