// Losses by step of every task: as it printed them, and as it wrote them to event files.
#pragma once

#include <string>
#include <vector>

#include "align/model.h"

namespace tfpm {

struct LossPoint {
  std::int64_t step = 0;
  double value = 0;  // NaN or infinite where the loss was
  std::int64_t seq = 0;
  std::int32_t place = 0;  // index into LossSeries::places
};

// One task in one incarnation, from one kind of source, in order. Never empty.
struct LossSeries {
  int worker = -1;
  std::int64_t generation = 0;
  bool from_log = true;
  // Evidence references are PREFIX + seq + SUFFIX.
  std::vector<std::pair<std::string, std::string>> places;
  std::vector<LossPoint> points;

  std::string ref(const LossPoint& point) const;
};

// What the printed or the written losses of training tasks are, by the finite values of equal
// steps: one value of the whole job ('reduced'), each task's own ('local'), or 'unknown'.
std::string agreement_of(const Model& model, const std::vector<LossSeries>& losses, bool printed);

// Losses that tasks print beside the one their markers hold, when those are each task's own: of one
// name, where several are, preferably one that stops being finite. Empty when there are none. Needs
// marker values.
Result<std::vector<LossSeries>> collect_own_losses(Database& db, const Model& model);

// By worker and generation; of one worker and generation the log's first. Needs placed markers and
// event files. Of several loss tags of an event file the one with the shortest name counts.
Result<std::vector<LossSeries>> collect_losses(Database& db, const Model& model);

}  // namespace tfpm
