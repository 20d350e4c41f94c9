// Runs a set of files in memory through a CheckpointSet, as a bundle would.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "parsers/checkpoint_set.h"
#include "support/bundle_writer.h"

namespace tfpm::test {

using Files = std::map<std::string, std::string>;

// Adds PREFIX.index and PREFIX.data-* of a bundle.
void add_bundle(Files& files, const std::string& prefix, const BundleWriter& bundle, int shards = 1,
                const TableOptions& options = {});

// Both passes over `files`, in order of path or the other way round; shards come in pieces of at
// most `chunk` bytes.
CheckpointReport run_checkpoint_set(const Files& files, std::size_t chunk = 64 * 1024,
                                    bool backwards = false);

// The summary of one prefix; an empty one when there is none.
CheckpointSummary summary_of(const CheckpointReport& report, std::string_view prefix);

// "complete crc-ok finite".
std::string state_of(const CheckpointReport& report, std::string_view prefix);

// All rows as text, one a line.
std::string rows_text(const CheckpointReport& report);

}  // namespace tfpm::test
