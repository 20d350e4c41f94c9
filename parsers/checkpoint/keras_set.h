// Keras' checkpoints of a bundle, in one file or in shards with a list, and what the names of its
// other members say about exports.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "parsers/checkpoint/keras_file.h"
#include "parsers/checkpoint/weight_map.h"
#include "parsers/checkpoint_set.h"

namespace tfpm {

class KerasSet {
 public:
  void accept_any_hdf5() { any_hdf5_ = true; }
  // Every member's name: files that belong together are known by it.
  void add_name(std::string_view name);
  // True when the member is a checkpoint in one file; read() wants it then.
  bool add_member(std::string_view path, std::string_view name, std::string_view head);
  // True when the member is the list of a checkpoint in shards; add_list() wants its content.
  bool add_list_member(std::string_view path, std::string_view name, std::string_view head);
  bool has_list(std::string_view path) const { return lists_.find(path) != lists_.end(); }
  void add_list(std::string_view path, std::string_view bytes);
  void add_unread_list(std::string_view path, std::string_view reason);
  bool has(std::string_view path) const { return files_.find(path) != files_.end(); }
  // Safe to call from several threads for different paths.
  void read(std::string_view path, ByteStream& in);

  // Variables of a SavedModel whose other files are there but for the last one written.
  void judge_export(std::string_view prefix, CheckpointVerdict& verdict) const;
  // Adds groups and summaries, in order of path.
  void finish(CheckpointReport& out) const;

 private:
  struct File {
    std::string name;
    KerasReading reading;
    bool came = false;
  };

  struct List {
    std::string directory;  // of its name
    WeightMap map;
  };
  struct Sharded;  // a list and the files it names

  CheckpointSummary summarize(std::string_view path, const File& file) const;
  Sharded put_together(std::string_view path, const List& list) const;
  void finish_file(std::string_view path, const File& file, CheckpointReport& out) const;
  void finish_list(const Sharded& sharded, CheckpointReport& out) const;

  std::map<std::string, File, std::less<>> files_;  // by path
  std::map<std::string, List, std::less<>> lists_;  // by path
  std::set<std::string, std::less<>>
      export_folders_;                          // folders with assets, fingerprints and the like
  std::set<std::string, std::less<>> exports_;  // folders with a saved_model.*
  bool any_hdf5_ = false;
};

}  // namespace tfpm
