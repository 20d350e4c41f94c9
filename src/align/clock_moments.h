// Moments that several tasks saw, as the stamps of their logs show them (algorithms.md sections 2.1
// and 2.2).
#pragma once

#include <cstdint>
#include <vector>

#include "align/clock_fit.h"
#include "align/model.h"

namespace tfpm {

// Where a stamp stands: what a cut of a clock is told by.
struct StampPlace {
  int stream = -1;  // index into Model::streams
  std::int64_t seq = 0;
};

// One task's stamps of shared moments.
struct TaskTrack {
  int worker = -1;  // index into Model::workers
  ClockTrack track;
  std::vector<StampPlace> places;  // of each stamp
};

struct SyncMoments {
  std::int64_t origin_us = 0;  // times are relative to it
  std::vector<TaskTrack> tasks;
  // By moment: the one numbered before it was over for everybody before this one was for anybody.
  std::vector<bool> follows;
};

// Ends of steps: one moment per generation and step. Empty for asynchronous training, whose tasks
// do not meet. Steps that a task repeated within a
// generation count once, as it took them last.
SyncMoments step_moments(const Model& model);

// Moments of the run's life that most tasks log within a second or so: the cluster is formed,
// a checkpoint was saved, a preemption was announced, training is over; and the leader's note that
// a task has connected beside that task's own. Worth asking only where no steps are.
SyncMoments life_moments(const Model& model);

}  // namespace tfpm
