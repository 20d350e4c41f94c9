// Steps per epoch of a counter that starts again and never tells its total, solved from numbers of
// steps that others wrote meanwhile (algorithms.md section 1.6).
#pragma once

#include <optional>
#include <vector>

#include "align/marker_steps.h"
#include "store/database.h"

namespace tfpm {

// A step that was written between two markers: when the counter had shown `count` in epoch `epoch`
// (from 0) and not yet `next_count` in `next_epoch`. No later marker: next_epoch is negative.
struct EpochSample {
  double epoch = 0, count = 0;
  double next_epoch = -1, next_count = 0;
  double step = 0;
};

// The only size between `least` and what the samples allow that at least four fifths of them agree
// on, given two different steps in later epochs; nullopt when none or several do.
std::optional<double> solve_epoch_size(const std::vector<EpochSample>& samples, double least);

// Samples from "Saved ...-K" lines of the stream itself. `rows` are its markers as unrolled with
// `length` steps per epoch, whatever the true number is.
std::vector<EpochSample> saved_samples(const NamedStream& stream,
                                       const std::vector<MarkerRow>& rows, double length);

// Samples from one tag of one event file each, by the writer's stamps; empty for markers without
// stamps.
Result<std::vector<std::vector<EpochSample>>> metric_samples(Database& db,
                                                             const std::vector<MarkerRow>& rows,
                                                             double length);

// Steps per epoch by a line that closes every epoch with that number twice, as Keras' verbose=2
// does: `1875/1875 - 3s - 2ms/step - loss: 0.2`. nullopt when no line of the stream does. One line
// is enough where it names a loss.
std::optional<double> closing_epoch_size(const NamedStream& stream);

}  // namespace tfpm
