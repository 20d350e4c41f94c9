#include "parsers/detail/json_text.h"

#include <algorithm>

namespace tfpm {
namespace {

constexpr int kMaxDepth = 128;

// nlohmann keeps its own stack while parsing but recurses when it copies: refuse deep texts first.
bool too_deep(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_string = false;
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kMaxDepth) return true;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return false;
}

// nlohmann's message without its "[json.exception...]" tag.
std::string without_tag(std::string_view what) {
  const std::size_t end = what.find("] ");
  return std::string(end == std::string_view::npos ? what : what.substr(end + 2));
}

}  // namespace

JsonText parse_json_text(std::string_view text) {
  if (too_deep(text)) return {std::nullopt, "nested more than 128 deep"};
  try {
    return {OrderedJson::parse(text.begin(), text.end()), {}};
  } catch (const OrderedJson::exception& e) {
    return {std::nullopt, without_tag(e.what())};
  }
}

const OrderedJson* find_member(const OrderedJson& value, std::string_view key) {
  if (!value.is_object()) return nullptr;
  const auto it = value.find(std::string(key));
  return it == value.end() ? nullptr : &*it;
}

const OrderedJson* find_path(const OrderedJson& value,
                             std::initializer_list<std::string_view> keys) {
  const OrderedJson* at = &value;
  for (const std::string_view key : keys) {
    at = find_member(*at, key);
    if (at == nullptr) return nullptr;
  }
  return at;
}

std::optional<std::string> string_member(const OrderedJson& value, std::string_view key) {
  const OrderedJson* member = find_member(value, key);
  if (member == nullptr || !member->is_string()) return std::nullopt;
  return member->get<std::string>();
}

std::optional<std::int64_t> int_member(const OrderedJson& value, std::string_view key) {
  const OrderedJson* member = find_member(value, key);
  if (member == nullptr || !member->is_number_integer()) return std::nullopt;
  return member->get<std::int64_t>();
}

}  // namespace tfpm
