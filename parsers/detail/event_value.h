// One value of a Summary message: what it measures (formats.md 4.3, 4.4).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tfpm {

// What a histogram says of its tensor. TF2 stores buckets alone: edges stand for the extremes then.
struct HistogramFacts {
  double min = 0, max = 0;
  double count = 0;
  std::optional<double> sum;  // TF1 alone
  bool finite = true;         // every number of it is
};

// Views point into the message.
struct EventValue {
  std::string_view tag;
  std::string_view metadata;      // SummaryMetadata; empty = not repeated here
  std::optional<double> scalar;   // simple_value, or a tensor of one float
  std::string_view scalar_bytes;  // where `scalar` is stored as a float; empty = as anything else
  std::optional<HistogramFacts> histogram;
  std::string_view text;  // first string of a string tensor; empty = none
};

// Reads one Summary.Value; whatever does not parse is left out.
EventValue parse_event_value(std::string_view message);

// Name of the plugin that a SummaryMetadata is for; empty = none.
std::string_view plugin_of(std::string_view metadata);

// "finite", "nan", "inf", "-inf".
std::string_view finite_state(double value);

}  // namespace tfpm
