// YAML as a JSON value, read with yaml-cpp; the only place of this room that catches its
// exceptions. For .cpp files of this room only.
#pragma once

#include <string_view>
#include <vector>

#include "parsers/detail/json_text.h"

namespace tfpm {

// The documents of the text. Plain scalars that are numbers or booleans become such, all others
// strings. Limits of formats.md 8.6: depth 64, expansion of aliases bounded by the node count.
struct YamlText {
  std::vector<OrderedJson> documents;  // those before the first error
  std::string error;                   // empty = all read
};
YamlText parse_yaml_text(std::string_view text);

}  // namespace tfpm
