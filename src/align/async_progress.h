// Asynchronous training: who pushes how much, how stale, and when somebody stopped
// (algorithms.md section 1.7). Tasks see one global step; each prints it after its own push.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "align/model.h"
#include "base/status.h"

namespace tfpm {

// One task's pushes: the global step it saw after each, ascending.
struct AsyncTrack {
  int worker = -1;  // index into Model::workers
  std::vector<std::int64_t> steps;
};

struct AsyncShare {
  int worker = -1;
  std::size_t pushes = 0;
  // Absent when the tasks together do not print about every update: then nobody's gaps are pushes.
  std::optional<double> share;        // of all updates while its log ran
  std::optional<double> staleness;    // median number of others' updates between two of its own
  std::optional<double> stale_share;  // of its pushes more than 4 (N - 1) updates old
};

// A step at which the other tasks began to go faster or slower through the global steps: the number
// of tasks that push has changed.
struct AsyncChange {
  std::int64_t step_lo = 0, step_hi = 0;
  double before = 0, after = 0;  // tasks that push
  std::size_t witnesses = 0;     // tasks whose gaps tell
};

std::vector<AsyncShare> async_shares(const std::vector<AsyncTrack>& tracks);
// Absent when the gaps of most tasks stay what they were, or nobody has pushed often enough.
std::optional<AsyncChange> async_change(const std::vector<AsyncTrack>& tracks);

// Writes async_worker and async_change rows of every generation; nothing for synchronous training.
Status store_async_progress(Database& db, const Model& model);

}  // namespace tfpm
