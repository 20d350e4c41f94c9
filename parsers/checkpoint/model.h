// What is known of each checkpoint of a bundle while its files come in, one file at a time.
// Internal to this folder; checkpoint_set.h is what others see.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "parsers/detail/bundle_index.h"
#include "parsers/detail/tensor_check.h"

namespace tfpm {

// One data file. `path` is the member's, which may have a compression suffix.
struct ShardFile {
  std::string path;
  std::optional<std::uint64_t> size;  // bytes; absent until a compressed member has been read
  bool read = false;                  // read to its end
  std::string read_error;             // why reading stopped; empty = it did not
};
// Files of one "-of-COUNT" by shard number.
using ShardFiles = std::map<std::int32_t, ShardFile>;

struct Tensor {
  TensorEntry entry;
  TensorResult result;
  std::size_t keep = 0;  // first bytes to keep for a comparison with other replicas
  std::string kept;      // they
};

// PREFIX.index as met.
struct IndexFile {
  std::string path;
  std::optional<std::uint64_t> size;
  std::string unread;   // why its content never came; empty = it came, or is still to come
  bool parsed = false;  // content came; the fields below are set
  IndexState state = IndexState::kNotBundle;
  std::vector<Fault> faults;
  std::string foreign;  // what it is instead, e.g. "a Git LFS pointer"; empty = nothing known
};

// One temp part of an unfinished or just finished save.
struct TempPart {
  std::int32_t count = 1;  // of how many
  bool has_index = false;
  bool has_data = false;
  std::uint64_t bytes = 0;  // of its data, as far as known
};
// Temp directory (or part name) -> part number -> part.
using TempSaves = std::map<std::string, std::map<std::int32_t, TempPart>>;

// A V1 checkpoint file: table and data in one.
struct V1File {
  std::string path;
  std::optional<std::uint64_t> size;
  bool readable = false;
  std::vector<Fault> faults;
  std::string unread;  // why its content was not read
  std::vector<Tensor> tensors;
};

struct Leftover {
  std::string path;
  std::string kind;  // as in checkpoint_leftover.kind
  std::uint64_t bytes = 0;
};

struct Checkpoint {
  std::string prefix;
  std::optional<IndexFile> index;
  std::optional<BundleHeader> header;
  std::vector<Tensor> tensors;                // in key order
  std::map<std::int32_t, ShardFiles> shards;  // by the COUNT of their names
  std::map<std::int32_t, V1File> v1;          // by shard number
  std::int32_t v1_count = 1;
  TempSaves temp_saves;
  std::vector<Leftover> leftovers;
  std::string object_graph;  // content of _CHECKPOINTABLE_OBJECT_GRAPH, only while needed
  // State files:
  bool listed = false;      // a state file names it
  bool latest = false;      // as the latest
  bool superseded = false;  // the state file beside it names only newer ones
  std::string state_path;   // the state file that does; empty = none

  // TensorFlow reads PREFIX as V1 only when there is no index.
  bool is_v1() const { return !v1.empty() && !index && shards.empty(); }
  // The data files that belong to the index: those of its count, else the only set there is. Null
  // when there is none.
  const ShardFiles* shard_files() const;
  ShardFiles* shard_files();
  // How many shards the names promise (else the header): upstream's merge may leave the header's
  // number higher.
  std::int32_t shard_count() const;
};

using Checkpoints = std::map<std::string, Checkpoint, std::less<>>;

}  // namespace tfpm
