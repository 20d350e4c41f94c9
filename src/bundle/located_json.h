// JSON that knows where its keys stand, so that a complaint can name line and column.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tfpm {

struct TextPlace {
  std::size_t line = 1;    // from 1
  std::size_t column = 1;  // in bytes, from 1
  std::string to_string() const { return std::to_string(line) + ":" + std::to_string(column); }
};

class LocatedJson {
 public:
  // `path` is for messages. Nesting is limited to 128 (formats.md 0.7).
  static Result<LocatedJson> parse(std::string_view text, const std::string& path);

  const nlohmann::json& root() const { return root_; }
  // Where the key of `at` stands, or the object or array; that of the parent for other values.
  TextPlace place(nlohmann::json::json_pointer at) const;

 private:
  nlohmann::json root_;
  std::map<std::string, TextPlace> places_;  // by JSON pointer
};

}  // namespace tfpm
