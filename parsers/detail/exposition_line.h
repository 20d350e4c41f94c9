// One sample of Prometheus' text exposition: name{label="value",...} number [epoch ms].
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tfpm {

struct ExpositionSample {
  std::string_view metric;
  std::string_view labels;      // between the braces, as written
  std::string_view number;      // as written: "79", "1.5e+09", "NaN", "+Inf"
  std::optional<double> value;  // absent when it is not finite
  std::optional<std::int64_t> time_us;
};

// nullopt for comments and anything that is no sample.
std::optional<ExpositionSample> parse_exposition_line(std::string_view line);

// Value of a label with its escapes resolved; nullopt when there is none of that name.
std::optional<std::string> exposition_label(std::string_view labels, std::string_view name);

}  // namespace tfpm
