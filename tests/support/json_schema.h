// The part of JSON Schema that docs/findings.schema.json uses: type, enum, pattern, minimum,
// properties, required, additionalProperties: false, items, and $ref into the schema itself.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tfpm {

// One line per violation, "PATH: what"; empty when `value` fits. Also reports object keys that are
// not in the order of `required`, which JSON Schema cannot say.
std::vector<std::string> schema_violations(const nlohmann::ordered_json& schema,
                                           const nlohmann::ordered_json& value);

}  // namespace tfpm
