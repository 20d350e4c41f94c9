#include "parsers/detail/json_text.h"

#include <algorithm>

#include "base/text.h"

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

// nlohmann's message without its "[json.exception...]" tag. It quotes the token that it last read,
// which may be megabytes, no text at all, or a variable with a secret: only short ones stay.
std::string plain_message(std::string_view what) {
  constexpr std::size_t kLongestToken = 40;
  const std::size_t tag = what.find("] ");
  if (tag != std::string_view::npos) what.remove_prefix(tag + 2);
  const std::size_t quoted = what.find("; last read: '");
  if (quoted == std::string_view::npos) return clean_utf8(what, what.size());
  const std::string_view token = what.substr(quoted);
  const std::string clean = clean_utf8(token, token.size());
  const bool harmless =
      token.size() <= kLongestToken && clean == token && token.find('=') == std::string_view::npos;
  return std::string(harmless ? what : what.substr(0, quoted));
}

}  // namespace

JsonText parse_json_text(std::string_view text) {
  if (too_deep(text)) return {std::nullopt, "nested more than 128 deep"};
  try {
    return {OrderedJson::parse(text.begin(), text.end()), {}};
  } catch (const OrderedJson::exception& e) {
    return {std::nullopt, plain_message(e.what())};
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
