// All checkpoints of a bundle: which files belong together, whether they are complete and intact.
//
// A checkpoint is several files, and a parser never looks at another file, so checkpoints are
// collected here beside the parsers. Use:
//   first pass   for every member: add_member(); if it asks for the content, add_content().
//   second pass  for every member that wants(): read_shard(), once. May be left out: tensors then
//                stay 'unread'.
//   finish()     once.
// Damage is never an error: it becomes a state (algorithms.md 8.1) and a sentence.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/row.h"
#include "parsers/parser.h"

namespace tfpm {

// Files that are needed whole (indexes, state files, V1 checkpoints) are held in memory one at a
// time; larger ones are reported as unread.
inline constexpr std::size_t kMaxCheckpointContent = std::size_t{64} << 20;

// How a checkpoint stands, in the words of schema/70_checkpoint.sql. Views are of literals.
struct CheckpointSummary {
  std::string prefix;
  std::optional<std::int64_t> step;
  std::string_view completeness;
  std::string_view integrity;
  std::string_view health;
  std::string problem;  // a sentence; empty = nothing wrong
  std::uint64_t tensors = 0;
  std::uint64_t bytes = 0;     // tensor bytes by its index
  std::uint64_t verified = 0;  // tensors whose checksum was found good
  bool usable() const {
    return completeness == "complete" && integrity != "crc-bad" && health != "nonfinite";
  }
};

// Rows of one checkpoint or one leftover. `source` is the path of the member they belong to: the
// index, the V1 file, the first shard, the leftover, or the state file that names a checkpoint
// which is not there. RowRefs count from the first row of this group.
struct CheckpointGroup {
  std::string source;
  std::vector<Row> rows;
  std::vector<Problem> problems;
};

struct CheckpointReport {
  std::vector<CheckpointGroup> groups;       // in order of prefix, then path
  std::vector<CheckpointSummary> summaries;  // one a checkpoint, in order of prefix
};

class CheckpointSet {
 public:
  CheckpointSet();
  ~CheckpointSet();
  CheckpointSet(CheckpointSet&&) noexcept;
  CheckpointSet& operator=(CheckpointSet&&) noexcept;

  // Takes every HDF5 file for a model's: for files a user points at. Before the first member.
  void accept_any_hdf5();

  // Tells of a member: its path, its path without compression suffixes (what it is named by), its
  // size after decompression where known, and its first bytes (kSniffBytes are enough). True: bring
  // its content by add_content(), or say why it cannot be had by add_unread().
  bool add_member(std::string_view path, std::string_view name, std::optional<std::uint64_t> size,
                  std::span<const char> head);
  void add_content(std::string_view path, std::string_view bytes);
  void add_unread(std::string_view path, std::string_view reason);

  // After the first pass: whether a shard has tensors to verify, or is a checkpoint in one file.
  bool wants(std::string_view path) const;
  // Reads the member to its end, in chunks that stay in the processor's cache. Safe to call from
  // several threads for different paths; everything else is for one thread.
  void read_shard(std::string_view path, ByteStream& in);

  // Rows of schema/70_checkpoint.sql, in order of prefix; leftovers of unfinished saves come with
  // their checkpoint. State files' own rows are their parser's.
  CheckpointReport finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Whether a member is one of a checkpoint set by its name and first bytes; what the parsers of
// these members say in the sniff contest.
bool is_checkpoint_member(std::string_view name, std::span<const char> head);

// Prefix of the checkpoint that a file belongs to by its name; the path itself for other names.
std::string checkpoint_prefix_of(std::string_view path);

}  // namespace tfpm
