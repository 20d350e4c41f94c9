#include "align/align.h"

#include "align/accusations.h"
#include "align/async_progress.h"
#include "align/attempts.h"
#include "align/clocks.h"
#include "align/endings.h"
#include "align/event_files.h"
#include "align/identity.h"
#include "align/line_facts.h"
#include "align/logical_order.h"
#include "align/markers.h"
#include "align/model.h"
#include "align/nan_onset.h"
#include "align/restores.h"
#include "align/step_cost.h"
#include "align/steps.h"
#include "store/database.h"

namespace tfpm {
namespace {

std::vector<MarkerStream> marker_streams(const Model& m) {
  std::vector<MarkerStream> out;
  for (const StreamInfo& s : m.streams) {
    MarkerStream k;
    k.stream = s.id;
    if (s.worker >= 0) {
      k.worker_id = s.worker + 1;
      k.training = m.workers[static_cast<std::size_t>(s.worker)].trains();
    } else {
      k.training = false;
    }
    out.push_back(k);
  }
  return out;
}

// Offsets where runs begin, the first run's at 0: what the first process printed first is no
// restart.
void set_attempt_starts(StreamInfo& stream, const std::vector<std::uint64_t>& starts) {
  std::int64_t first_pid = 0;
  for (const StreamClaim& c : stream.claims) {
    if (c.kind != "pid" || !c.byte_offset) continue;
    first_pid = *c.byte_offset;
    break;
  }
  stream.attempt_starts = {0};
  for (const std::uint64_t start : starts) {
    if (static_cast<std::int64_t>(start) > first_pid) stream.attempt_starts.push_back(start);
  }
}

// A parameter server in the job means asynchronous training: steps of different tasks need not
// match.
bool is_synchronous(const Model& m) {
  for (const WorkerInfo& w : m.workers) {
    if (w.type == "ps") return false;
  }
  return true;
}

// Attempts, steps, clocks and endings of the workers.
Status place(Database& db, Model& m, const AlignOptions& options, const Finished& finished) {
  find_restarts_by_step(m);
  split_attempts(m);
  tell(finished, "align: attempts");
  place_steps(m);
  tell(finished, "align: steps");
  TFPM_RETURN_IF_ERROR(find_restores(db, m));
  find_lost_steps(m);
  tell(finished, "align: restores");
  fit_clocks(m, options);
  tell(finished, "align: clocks");
  judge_endings(m);
  tell(finished, "align: endings");
  collect_accusations(m);
  tell(finished, "align: accusations");
  return ok_status();
}

Status store_facts(Database& db, const Model& m, const Finished& finished) {
  TFPM_RETURN_IF_ERROR(store_model(db, m));
  tell(finished, "align: stored the model");
  TFPM_RETURN_IF_ERROR(store_order(db, m, order_records(m)));
  tell(finished, "align: order of records");
  TFPM_RETURN_IF_ERROR(store_line_facts(db, m));
  tell(finished, "align: facts of lines");
  TFPM_RETURN_IF_ERROR(place_event_files(db, m));
  tell(finished, "align: event files");
  TFPM_RETURN_IF_ERROR(store_nan_facts(db, m));
  tell(finished, "align: losses");
  TFPM_RETURN_IF_ERROR(store_async_progress(db, m));
  TFPM_RETURN_IF_ERROR(store_step_costs(db, find_step_costs(m)));
  tell(finished, "align: step costs");
  return ok_status();
}

}  // namespace

Status align(Database& db, std::vector<StreamSeries> series, const AlignOptions& options,
             const Finished& finished) {
  Result<Model> loaded = load_model(db);
  if (!loaded.ok()) return loaded.status();
  Model& m = *loaded;
  for (const StreamSeries& s : series) {
    const int at = m.stream_index(s.stream);
    if (at >= 0) set_attempt_starts(m.streams[static_cast<std::size_t>(at)], s.attempt_starts);
  }
  tell(finished, "align: loaded the rows");
  identify_workers(m, options);
  m.synchronous = is_synchronous(m);
  tell(finished, "align: identity");
  TFPM_RETURN_IF_ERROR(choose_markers(db, series, marker_streams(m), options.markers));
  std::vector<StreamSeries>().swap(
      series);  // the chosen ones are read back; the others are not needed
  TFPM_RETURN_IF_ERROR(load_markers(db, m));
  tell(finished, "align: markers");
  TFPM_RETURN_IF_ERROR(place(db, m, options, finished));
  return store_facts(db, m, finished);
}

}  // namespace tfpm
