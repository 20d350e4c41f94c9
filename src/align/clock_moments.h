// Moments that several tasks saw, as the stamps of their logs show them (algorithms.md sections 2.1
// and 2.2).
#pragma once

#include <cstdint>
#include <vector>

#include "align/clock_fit.h"
#include "align/model.h"

namespace tfpm {

struct SyncMoments {
  std::int64_t origin_us = 0;      // times are relative to it
  std::vector<ClockTrack> tracks;  // of each task its stamps of shared moments, the leader's first
  std::vector<int> workers;        // of each track, index into Model::workers
  // Of steps, by moment: the one numbered before it was over for everybody before this one was for
  // anybody.
  std::vector<bool> follows;
  // Of steps, by track and stamp: index into Model::markers.
  std::vector<std::vector<std::uint32_t>> markers;
};

// Ends of steps: one moment per generation and step. Empty for asynchronous training, whose tasks
// do not meet. Steps that a task repeated within a
// generation count once, as it took them last.
SyncMoments step_moments(const Model& model);

// Moments of the run's life that most tasks log within a second or so: the cluster is formed,
// a checkpoint was saved, a preemption was announced, training is over; the leader's note that a
// task has connected beside that task's own; and errors whose text several quote with the moment
// they were made at. Worth asking only where no steps are.
SyncMoments life_moments(const Model& model);

}  // namespace tfpm
