// Every number that scoring and the choice of the verdict use, in one place (algorithms.md sections
// 4.6 and 13). A change here is a change of the method: tests/unit/thresholds_test.cpp pins each.
// The weights of evidence stand in the header of each analysis; tests/golden/weights.tsv pins them.
#pragma once

namespace tfpm::threshold {

// A hypothesis may answer with one item of this, or with two kinds of the other; decibans.
inline constexpr double kAnswerItemDb = 20;
inline constexpr double kAnswerSecondItemDb = 10;
inline constexpr int kAnswerSecondItems = 2;
// No kind of evidence counts more than this, for or against; decibans.
inline constexpr double kKindCapDb = 40;
// G5: "its log ends early" without another kind about the same task; decibans.
inline constexpr double kUncorroboratedDb = 5;
inline constexpr double kCorroborationDb = 10;
// Ahead of the best rival: below the first nothing is decided, from the second it is established;
// decibans.
inline constexpr double kAnswerMarginDb = 10;
inline constexpr double kEstablishedMarginDb = 30;
// An undetermined verdict still carries its best hypothesis from here on; decibans.
inline constexpr double kNameOnlyDb = 10;
// The same fault on several tasks is one when their own words differ by less; decibans.
inline constexpr double kTwinsDb = 10;

}  // namespace tfpm::threshold
