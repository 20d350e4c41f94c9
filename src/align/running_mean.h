// The loss of single batches out of Keras' progress bars, which show the mean since the epoch's
// start (algorithms.md section 1.6).
#pragma once

#include "align/marker_steps.h"

namespace tfpm {

// Fills MarkerRow::batch_loss where the family is a Keras bar: b m(b) - a m(a) over b - a, for
// counts a < b shown one after the other in an epoch. Means are printed with four decimals, so the
// error is up to b 1e-4 per batch in between.
void recover_batch_losses(const NamedStream& stream, const Family& family, MarkerSeries& series);

}  // namespace tfpm
