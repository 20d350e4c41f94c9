// JSON as a value, read with nlohmann's parser; the only place of this room that catches its
// exceptions. For .cpp files of this room only.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace tfpm {

using OrderedJson = nlohmann::ordered_json;

struct JsonText {
  std::optional<OrderedJson> value;  // nullopt = not JSON
  std::string error;                 // what is wrong with it, with line and column
};

// Limits of formats.md 0.7: nesting 128 (deeper is an error); the caller bounds the size.
JsonText parse_json_text(std::string_view text);

// Member of an object; nullptr when `value` is no object or has no such member.
const OrderedJson* find_member(const OrderedJson& value, std::string_view key);
// find_member along a path of keys.
const OrderedJson* find_path(const OrderedJson& value,
                             std::initializer_list<std::string_view> keys);
// A string member; nullopt when absent or of another type.
std::optional<std::string> string_member(const OrderedJson& value, std::string_view key);
std::optional<std::int64_t> int_member(const OrderedJson& value, std::string_view key);

}  // namespace tfpm
