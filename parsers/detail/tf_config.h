// TF_CONFIG in every form it is met (formats.md 8.6, log-formats.md 1.2), valid or not. Also used
// by the log reader for values printed in logs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/row.h"
#include "parsers/parser.h"

namespace tfpm {

enum class TfConfigForm {
  kFile,  // a file that holds the value
  kEnv,   // an environment dump or shell line: TF_CONFIG=value
  kLog,   // printed in a log as JSON
  kPod,   // env of a pod specification
  kRepr,  // printed in a log as a Python dictionary: what the program had after decoding
  kSpec,  // a cluster printed without the task that it was given to
};
std::string_view to_string(TfConfigForm form);  // 'file', 'env', 'log', 'pod', 'repr', 'spec'

inline constexpr std::size_t kMaxTfConfig = std::size_t{1} << 20;  // longest value read, bytes

struct ClusterTask {
  std::string type;
  std::int64_t index = 0;  // position in the list, or the key of a sparse cluster
  std::string address;
};

struct TfConfig {
  TfConfigForm form = TfConfigForm::kFile;
  bool valid_json = false;  // as TensorFlow would read it (kRepr: always a decoded value)
  std::string error;  // what is wrong, with position; also set for valid JSON of a wrong shape
  std::optional<std::string> task_type;
  std::optional<std::int64_t> task_index;      // strings of digits count, as for TensorFlow
  std::optional<std::string> task_index_text;  // as written when it is no plain integer
  std::vector<ClusterTask> tasks;              // sorted by type, then in order
  std::optional<std::string> cluster;  // 'chief=h0:1|worker=h1:1,h2:1'; nullopt = no cluster given
  std::string text;                    // the value as found
};

// Reads one value. kFile, kEnv and kPod are judged as strictly as json.loads does; what a broken
// value seems to say is filled in all the same. kLog takes the first balanced {...} of `text`.
TfConfig parse_tf_config(std::string_view text, TfConfigForm form);

// A value printed somewhere in a log line: "TF_CONFIG=...", "TF_CONFIG environment variable:
// {...}", "export TF_CONFIG='...'", "cluster_spec = {...}, task_type = 'worker', task_id = 1".
// nullopt when the line holds none. `where`, if given, gets the value's byte offset in the line.
std::optional<TfConfig> find_tf_config(std::string_view line, std::size_t* where = nullptr);

// Where a value was found.
struct TfConfigPlace {
  std::optional<RowRef> stream;  // absent = a file without streams
  std::optional<std::uint64_t> line;
  std::optional<std::uint64_t> byte_offset;
  std::optional<std::string> owner;
};

// Adds the tf_config row and its cluster_task rows.
void emit_tf_config(const TfConfig& config, const TfConfigPlace& place, Sink& sink);

}  // namespace tfpm
