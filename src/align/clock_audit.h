// What is certain of a fitted clock, whatever the fit believes (algorithms.md section 2.6).
#pragma once

#include <cstddef>
#include <vector>

#include "align/clock_fit.h"

namespace tfpm {

// Nobody ends a step before everybody ended the one before it: each step bounds every clock from
// both sides.
struct ClockAudit {
  double low_us = 0, high_us = 0;  // how far the clock may yet be moved, both ways; 0 when unknown
  bool bounded = false;
  double early_share = 0;  // of its steps, stamped before the step before it was over: impossible
  std::size_t worst = 0;   // track whose stamp contradicts most often; itself when none does
};

// One per track. Moments must be numbered so that consecutive steps have consecutive numbers where
// `follows[moment]` is true (the moment before it is the step before it).
std::vector<ClockAudit> audit_clocks(const std::vector<ClockTrack>& tracks,
                                     const ClockSolution& solution,
                                     const std::vector<bool>& follows, unsigned threads = 1);

// 'A' to 'D' as section 2.6 words them.
char clock_class(const ClockFit& fit, const ClockAudit& audit);

}  // namespace tfpm
