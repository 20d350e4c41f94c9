#include "parsers/detail/yaml_text.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <optional>
#include <string>

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

constexpr int kMaxDepth = 64;
// yaml-cpp takes about 450 bytes a node.
constexpr std::size_t kMaxNodes = 100'000;

// Turns nodes into JSON; stops at the limits, which aliases can reach from a small text.
class Converter {
 public:
  std::optional<OrderedJson> convert(const YAML::Node& node, int depth) {
    if (depth > kMaxDepth || ++nodes_ > kMaxNodes) return std::nullopt;
    if (node.IsSequence()) {
      OrderedJson out = OrderedJson::array();
      for (const auto& item : node) {
        auto value = convert(item, depth + 1);
        if (!value) return std::nullopt;
        out.push_back(std::move(*value));
      }
      return out;
    }
    if (node.IsMap()) {
      OrderedJson out = OrderedJson::object();
      for (const auto& pair : node) {
        auto value = convert(pair.second, depth + 1);
        if (!value || !pair.first.IsScalar()) return std::nullopt;
        out[pair.first.Scalar()] = std::move(*value);
      }
      return out;
    }
    if (!node.IsScalar()) return OrderedJson(nullptr);
    return scalar(node);
  }

 private:
  // yaml-cpp tags quoted scalars "!": they are strings whatever they look like.
  static OrderedJson scalar(const YAML::Node& node) {
    const std::string& text = node.Scalar();
    if (node.Tag() == "!") return text;
    if (const auto number = parse_int(text)) return *number;
    if (text == "true") return true;
    if (text == "false") return false;
    if (text == "null" || text == "~" || text.empty()) return nullptr;
    return text;
  }

  std::size_t nodes_ = 0;
};

// Brackets of flow style nested deeper than any object of an orchestrator: yaml-cpp recurses.
bool too_deep(std::string_view text) {
  int depth = 0;
  for (const char c : text) {
    if (c == '[' || c == '{') {
      if (++depth > kMaxDepth * 4) return true;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

// As many nodes as the text can hold at most, without reading it.
bool too_many(std::string_view text) {
  const auto separates = [](char c) {
    return c == ',' || c == '[' || c == '{' || c == ':' || c == '\n' || c == '-';
  };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), separates)) > kMaxNodes;
}

}  // namespace

YamlText parse_yaml_text(std::string_view text) {
  YamlText out;
  if (too_deep(text) || too_many(text)) {
    out.error = "nested too deep, or more than 100,000 values in one object";
    return out;
  }
  try {
    Converter converter;
    for (const YAML::Node& document : YAML::LoadAll(std::string(text))) {
      auto value = converter.convert(document, 0);
      if (!value) {
        out.error = "nested too deep, or more than 100,000 values";
        break;
      }
      out.documents.push_back(std::move(*value));
    }
  } catch (const YAML::Exception& e) {
    out.error = e.what();
  }
  return out;
}

}  // namespace tfpm
