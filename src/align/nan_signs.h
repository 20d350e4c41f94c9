// What points to the cause of non-finite values, in the numbers printed and written beside the loss
// (algorithms.md section 5.3).
#pragma once

#include <vector>

#include "align/nan_onset.h"

namespace tfpm {

// Stores schema/35_fact.sql, nan_sign: for every onset, and the collapse of a loss scale even where
// no loss turned bad. Needs marker values and event files.
Status store_nan_signs(Database& db, const std::vector<NanOnset>& onsets);

}  // namespace tfpm
