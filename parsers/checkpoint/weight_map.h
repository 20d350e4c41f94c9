// Keras' list of the files of weights that were saved in shards: `X.weights.json` (formats.md 3.1).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace tfpm {

// By name and, as far as there are any, by first bytes.
bool is_weight_map(std::string_view name, std::string_view head);

struct WeightMap {
  std::map<std::string, std::uint64_t> files;  // names as written, and variables in each
  std::uint64_t bytes = 0;                     // of all values, as it says; 0 = does not say
  std::string fault;                           // why it cannot be used; empty = it can
};

WeightMap parse_weight_map(std::string_view bytes);

}  // namespace tfpm
