// From the points of a chosen family to step markers: epochs unrolled, redraws joined, values read
// (algorithms.md section 1.9, rules 6 to 9; section 1.6).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "align/marker_family.h"
#include "align/marker_metrics.h"

namespace tfpm {

// A step marker. Values are as printed; nothing is converted but the unit of the step time.
struct MarkerRow {
  std::uint64_t seq = 0, line = 0;
  std::int64_t time_us = kNoTime;
  std::uint32_t attempt = 0;
  double step = 0;
  std::optional<double> loss;        // may be NaN or infinite; absent = not printed
  std::optional<double> batch_loss;  // of this batch alone, where `loss` is a mean over the epoch
  std::optional<std::int64_t> step_time_us;
  std::optional<std::int64_t> epoch;
};

enum class MarkerEdge { kBegin, kEnd, kUnknown };
const char* to_string(MarkerEdge edge);

struct MarkerSeries {
  std::vector<MarkerRow> rows;  // one per step printed, in order of seq
  MarkerEdge edge = MarkerEdge::kUnknown;
  std::optional<std::int64_t> period;  // steps per epoch; absent = does not reset, or unknown
  bool like_samples = false;           // a nameless counter that goes up by whole batches
  bool numbered = true;  // false: an unknown period, the values order but do not number
  double length = 0;     // steps per epoch the rows are unrolled by, known or not; 0 = not unrolled
  bool has_loss = false;
  bool loss_sure = false;
  std::string step_key, loss_key;  // names of the slots, empty = none
};

// What the job as a whole shows.
struct JobNumbering {
  bool zero_based_epochs = false;        // some task shows an epoch 0
  std::optional<double> units_per_step;  // for other units than steps, when anchored
  std::optional<double> epoch_size;      // steps per epoch where the counter itself does not tell
};

MarkerSeries make_series(const NamedStream& stream, const Family& family,
                         const JobNumbering& numbering);

}  // namespace tfpm
