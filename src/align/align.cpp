#include "align/align.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

#include "align/accusations.h"
#include "align/async_progress.h"
#include "align/attempts.h"
#include "align/clocks.h"
#include "align/copied_logs.h"
#include "align/endings.h"
#include "align/event_files.h"
#include "align/identity.h"
#include "align/line_facts.h"
#include "align/logical_order.h"
#include "align/markers.h"
#include "align/missing_years.h"
#include "align/model.h"
#include "align/nan_onset.h"
#include "align/restarts.h"
#include "align/restores.h"
#include "align/step_cost.h"
#include "align/steps.h"
#include "base/memory.h"
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

// Points of the largest template: about as many markers as a stream can have.
std::size_t most_points(const StreamSeries& s) {
  std::size_t most = 0;
  for (const TemplateSeries& t : s.templates) most = std::max(most, t.seq.size());
  return most;
}

void add_markers(Model& m, std::int64_t stream, const std::vector<MarkerRow>& rows) {
  const int index = m.stream_index(stream);
  if (index < 0) return;
  for (const MarkerRow& row : rows) {
    MarkerInfo k;
    k.stream = index;
    k.seq = static_cast<std::int64_t>(row.seq);
    k.line = static_cast<std::int64_t>(row.line);
    k.step = static_cast<std::int64_t>(std::llround(row.step));
    if (row.time_us != kNoTime) k.time_us = row.time_us;
    if (row.loss) k.loss = *row.loss;
    k.step_time_us = row.step_time_us;
    if (row.epoch || row.batch_loss) {
      m.marker_extras.resize(m.markers.size());
      m.marker_extras.push_back({row.epoch, row.batch_loss});
    }
    m.markers.push_back(k);
  }
}

// Step markers of all streams, in memory: they are written when all is known of them.
Status find_markers(Database& db, Model& m, std::vector<StreamSeries> series,
                    const AlignOptions& options) {
  // The streams of the model are in order of their ids, and so are their markers.
  std::stable_sort(series.begin(), series.end(), [](const StreamSeries& a, const StreamSeries& b) {
    return a.stream < b.stream;
  });
  std::size_t points = 0;
  for (const StreamSeries& s : series) points += most_points(s);
  m.markers.reserve(points);
  TFPM_RETURN_IF_ERROR(
      choose_markers(db, std::move(series), marker_streams(m), options.markers, options.threads,
                     [&m](std::int64_t stream, const std::vector<MarkerRow>& rows) {
                       add_markers(m, stream, rows);
                     }));
  if (!m.marker_extras.empty()) m.marker_extras.resize(m.markers.size());
  give_back_freed_memory();  // the series, which the readers' threads had allocated
  return load_marker_edges(db, m);
}

// The markers on their way into the store while passes run that need no store.
class MarkerStorage {
 public:
  MarkerStorage(Database& db, const Model& m, unsigned threads) {
    const auto store = [this, &db, &m] { status_ = store_markers(db, m); };
    if (threads > 1) {
      thread_ = std::thread(store);
    } else {
      store();
    }
  }
  ~MarkerStorage() {
    if (thread_.joinable()) thread_.join();
  }
  MarkerStorage(const MarkerStorage&) = delete;
  MarkerStorage& operator=(const MarkerStorage&) = delete;

  // Waits until all are stored; until then nobody else may use the database.
  Status finish() {
    if (thread_.joinable()) thread_.join();
    return status_;
  }

 private:
  Status status_;
  std::thread thread_;
};

// Attempts and steps of the workers.
Status place(Database& db, Model& m, const Finished& finished) {
  find_restarts(m);
  split_attempts(m);
  tell(finished, "align: attempts");
  place_steps(m);
  tell(finished, "align: steps");
  TFPM_RETURN_IF_ERROR(find_restores(db, m));
  find_lost_steps(m);
  tell(finished, "align: restores");
  return ok_status();
}

// Clocks, endings and the order of records: what needs no store, beside what only needs it.
Result<LogicalOrder> judge(Database& db, Model& m, const AlignOptions& options,
                           const Finished& finished) {
  MarkerStorage storage(db, m, options.threads);
  fit_clocks(m, options);
  tell(finished, "align: clocks");
  judge_endings(m);
  tell(finished, "align: endings");
  collect_accusations(m);
  tell(finished, "align: accusations");
  LogicalOrder order = order_records(m);
  tell(finished, "align: order of records");
  TFPM_RETURN_IF_ERROR(storage.finish());
  tell(finished, "align: stored the markers");
  return order;
}

Status store_facts(Database& db, const Model& m, const LogicalOrder& order,
                   const Finished& finished) {
  TFPM_RETURN_IF_ERROR(store_model(db, m));
  TFPM_RETURN_IF_ERROR(store_order(db, m, order));
  tell(finished, "align: stored the model");
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
  TFPM_RETURN_IF_ERROR(find_missing_years(db, series));
  TFPM_RETURN_IF_ERROR(drop_copied_logs(db, series));
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
  TFPM_RETURN_IF_ERROR(find_markers(db, m, std::move(series), options));
  tell(finished, "align: markers");
  TFPM_RETURN_IF_ERROR(place(db, m, finished));
  const Result<LogicalOrder> order = judge(db, m, options, finished);
  if (!order.ok()) return order.status();
  return store_facts(db, m, *order, finished);
}

}  // namespace tfpm
