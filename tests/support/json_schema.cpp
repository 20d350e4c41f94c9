#include "support/json_schema.h"

#include <algorithm>
#include <regex>

namespace tfpm {
namespace {

using Json = nlohmann::ordered_json;

class Validator {
 public:
  explicit Validator(const Json& root) : root_(root) {}

  void check(const Json& schema, const Json& value, const std::string& path) {
    if (schema.contains("$ref")) {
      const std::string ref = schema["$ref"].get<std::string>().substr(1);
      check(root_[Json::json_pointer(ref)], value, path);
    }
    check_type(schema, value, path);
    check_scalar(schema, value, path);
    if (value.is_object()) check_object(schema, value, path);
    if (value.is_array() && schema.contains("items")) {
      for (std::size_t i = 0; i < value.size(); ++i)
        check(schema["items"], value[i], path + "[" + std::to_string(i) + "]");
    }
  }
  std::vector<std::string> take() { return std::move(violations_); }

 private:
  static bool has_type(const Json& value, const std::string& type) {
    if (type == "null") return value.is_null();
    if (type == "string") return value.is_string();
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    if (type == "array") return value.is_array();
    return type == "object" && value.is_object();
  }

  void fail(const std::string& path, const std::string& what) {
    violations_.push_back(path + ": " + what);
  }

  void check_type(const Json& schema, const Json& value, const std::string& path) {
    if (!schema.contains("type")) return;
    const Json& type = schema["type"];
    const bool fits = type.is_string() ? has_type(value, type.get<std::string>())
                                       : std::any_of(type.begin(), type.end(), [&](const Json& t) {
                                           return has_type(value, t.get<std::string>());
                                         });
    if (!fits) fail(path, "has not type " + type.dump());
  }

  void check_scalar(const Json& schema, const Json& value, const std::string& path) {
    if (schema.contains("enum")) {
      const Json& options = schema["enum"];
      if (std::find(options.begin(), options.end(), value) == options.end())
        fail(path, value.dump() + " is none of " + options.dump());
    }
    if (schema.contains("pattern") && value.is_string()) {
      const std::regex pattern(schema["pattern"].get<std::string>());
      if (!std::regex_search(value.get<std::string>(), pattern))
        fail(path, "does not fit the pattern");
    }
    if (schema.contains("minimum") && value.is_number() && value < schema["minimum"])
      fail(path, "is below the minimum");
  }

  void check_object(const Json& schema, const Json& value, const std::string& path) {
    if (!schema.contains("properties")) return;
    const Json& properties = schema["properties"];
    std::vector<std::string> keys;
    for (const auto& [key, item] : value.items()) {
      keys.push_back(key);
      if (properties.contains(key)) {
        check(properties[key], item, path + "." + key);
      } else {
        fail(path, "has unknown key " + key);
      }
    }
    if (keys != schema["required"].get<std::vector<std::string>>())
      fail(path, "keys are missing or out of order");
  }

  const Json& root_;
  std::vector<std::string> violations_;
};

}  // namespace

std::vector<std::string> schema_violations(const Json& schema, const Json& value) {
  Validator validator(schema);
  validator.check(schema, value, "$");
  return validator.take();
}

}  // namespace tfpm
