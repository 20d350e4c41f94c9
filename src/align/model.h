// What alignment holds in memory: streams, events, records of launchers, and the workers and
// attempts it makes of them.
//
// Loaded once from the store, changed by the passes in the order of align.cpp, written back once.
// Events are capped at reading, so the model is bounded by workers x signatures, not by the size of
// the logs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "align/small_int.h"
#include "align/worker_clock.h"
#include "base/series.h"
#include "base/status.h"

namespace tfpm {

class Database;

using OptInt = std::optional<std::int64_t>;

struct StreamClaim {
  std::string kind;   // claim_identity.kind
  std::string value;  // claim_identity.value
  OptInt line;
  OptInt byte_offset;
};

struct StreamInfo {
  std::int64_t id = 0;
  std::int64_t source_id = 0;
  std::string path;  // of the source
  std::string tag;
  std::string tag_kind;
  OptInt first_us, last_us;
  std::int64_t records = 0;
  bool ends_torn = false;
  OptInt source_bytes;
  std::string buffered;                       // stream.buffered; empty = not
  std::vector<StreamClaim> claims;            // in order of place
  std::vector<std::uint64_t> attempt_starts;  // byte offsets, ascending
  bool starts_by_step = false;  // they are told by steps that went back, not by process ids
  int worker = -1;              // index into Model::workers
};

struct EventInfo {
  std::int64_t id = 0;
  std::int64_t source_id = 0;
  std::int64_t line = 0;
  int stream = -1;  // index into Model::streams
  std::int64_t seq = 0;
  std::int64_t record_line = 0;
  OptInt time_us;
  std::string severity, kind, signature, role;
  std::map<std::string, std::string, std::less<>> captures;
  // set by the passes
  int worker = -1;
  OptInt attempt, generation, step_lo, step_hi;
  int step_quality = 0;
  std::string phase = "unknown";
  int peer = -1;  // index into Model::workers
  std::string outcome;

  std::string_view capture(std::string_view name) const;
  bool has(std::string_view name) const { return captures.find(name) != captures.end(); }
  // Says that a checkpoint was restored.
  bool tells_restore() const {
    return signature == "ckpt-restored" || signature == "saver-restore";
  }
  // The program's own word that its run is over.
  bool tells_end() const { return signature == "prog-finished" || signature == "est-final"; }
};

// Without what only the store asks for (MarkerExtra): there are millions of them.
struct MarkerInfo {
  int stream = -1;
  bool superseded = false;  // set by the passes, as attempt and generation
  std::int64_t seq = 0;
  std::int64_t line = 0;
  std::int64_t step = 0;
  SmallInt time_us;
  double loss = missing_value();  // as printed: may be NaN or infinite; is_missing() = not printed
  SmallInt step_time_us;
  SmallInt attempt, generation;
};

struct MarkerExtra {
  SmallInt epoch;
  std::optional<double> batch_loss;
};

struct ExitInfo {
  std::int64_t id = 0;
  std::string what, task, host, reason;
  OptInt rank, attempt, pid, exit_code, signal, time_us;
  std::int64_t source_id = 0;
  std::int64_t line = 0;
};

struct TfConfigInfo {
  std::int64_t id = 0;
  int stream = -1;
  std::string owner, task_type, form;
  std::int64_t cluster_id = 0;  // key of Model::clusters; 0 = none
  bool valid_json = false;
  OptInt task_index;
  std::int64_t source_id = 0;
  std::int64_t seq = 0;     // byte offset in its source
  bool superseded = false;  // printed by an earlier run of a task that has a later one
};

// How a process run ended, algorithms.md section 4.8.
enum class Ending {
  kUnknown,
  kFinished,
  kExcused,
  kLeftEarly,
  kToldToGo,
  kCleanedUp,
  kCrashed,
  kVictim,
  kSilent,
  kCut,
  kAbsent,
};
std::string_view to_string(Ending ending);

struct AttemptInfo {
  std::int64_t n = 0;
  std::int64_t generation = 0;
  OptInt pid;
  std::string basis = "log";
  OptInt first_seq, last_seq;  // in the worker's main stream
  OptInt first_step, last_step, restored_step, lost_steps;
  OptInt last_marker_us, last_us, first_us;
  OptInt exit_code, exit_us;
  bool exit_recorded = false;
  bool launched = false;  // a launcher recorded its start
  bool alive_at_deadline = false;
  std::int64_t exit_order = -1;  // position among the exits of its launcher log; -1 = none
  std::string terminal;          // worker.terminal
  Ending ending = Ending::kUnknown;
  int terminal_event = -1;  // index into Model::events
};

struct WorkerInfo {
  std::string name, type, host, name_basis, claims;
  OptInt index;
  int instance = 0;
  bool leader = false;
  bool has_log = false;
  bool in_cluster = false;
  std::vector<int> streams;
  std::vector<std::int64_t> sources;
  std::vector<AttemptInfo> attempts;
  std::vector<std::int64_t> pids;  // process ids known for it, from headers and launchers
  WorkerClock clock;

  bool trains() const { return type != "ps" && type != "evaluator"; }
};

struct GenerationInfo {
  OptInt frontier, common;
  std::int64_t granularity = 1;
  OptInt step_us;
};

struct AccusationInfo {
  std::string kind;
  std::int64_t generation = 0;
  int by = -1;  // index into workers; -1 = the leader's statement, copied by several
  int accused = -1;
  int event = -1;  // index into events
  std::string void_reason;
};

struct Model {
  std::vector<StreamInfo> streams;
  std::vector<EventInfo> events;  // in order of id
  std::vector<ExitInfo> exits;
  std::vector<TfConfigInfo> tf_configs;
  std::map<std::int64_t, std::string> clusters;  // cluster_spec by id
  std::map<std::int64_t, std::string> source_paths;
  std::vector<WorkerInfo> workers;
  std::vector<MarkerInfo> markers;         // by stream, then seq
  std::vector<MarkerExtra> marker_extras;  // one per marker, or none at all
  std::vector<GenerationInfo> generations;
  std::vector<AccusationInfo> accusations;
  bool synchronous = true;
  std::string unit = "step";
  std::map<std::int64_t, std::string> marker_edges;        // by stream.id
  std::map<std::string, int, std::less<>> worker_of_name;  // see index_workers()

  // Makes find_worker() know all workers; to be called when names, instances or order changed.
  void index_workers();
  // Index of the worker of that task name (instance 0), -1 if there is none. Not linear in the
  // workers: it is asked for every event that names a peer.
  int find_worker(std::string_view name) const;
  int stream_index(std::int64_t id) const;
  std::span<const MarkerInfo> markers_of(int stream) const;
  // Do the markers of that stream stand before their step's work rather than behind it?
  bool opens_steps(int stream) const;
  std::int64_t last_generation() const;
};

// "worker", "3" -> "worker-3".
std::string task_name(std::string_view type, std::string_view index);
// "worker-3" -> type and index; false when it has not that form.
bool split_task_name(std::string_view name, std::string& type, std::int64_t& index);

Result<Model> load_model(Database& db);
// What the chosen templates say of the markers: edge and unit.
Status load_marker_edges(Database& db, Model& model);
// Rows of step_marker; of the model only markers and their streams. Nobody else may use `db`
// meanwhile.
Status store_markers(Database& db, const Model& model);
// Everything else that the passes found.
Status store_model(Database& db, const Model& model);

}  // namespace tfpm
