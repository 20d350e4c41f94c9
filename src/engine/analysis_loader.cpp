// Reads one analysis: header comments "-- key: value", then one SELECT.
#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <sstream>

#include "engine/class_ids.h"
#include "engine/rules.h"
#include "engine/text_position.h"

namespace tfpm {
namespace {

std::string_view trim(std::string_view s) {
  const std::size_t a = s.find_first_not_of(" \t\r\n");
  if (a == std::string_view::npos) return {};
  return s.substr(a, s.find_last_not_of(" \t\r\n") - a + 1);
}

std::vector<std::string> split_list(std::string_view value) {
  std::vector<std::string> out;
  while (!value.empty()) {
    const std::size_t comma = value.find(',');
    const std::string_view item = trim(value.substr(0, comma));
    if (!item.empty()) out.emplace_back(item);
    value = comma == std::string_view::npos ? std::string_view() : value.substr(comma + 1);
  }
  return out;
}

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (ec != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class AnalysisReader {
 public:
  AnalysisReader(std::string_view text, const std::string& origin) : text_(text), origin_(origin) {}

  Result<Analysis> read() {
    std::size_t pos = 0;
    while (pos < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', pos), text_.size());
      const std::string_view line = trim(text_.substr(pos, end - pos));
      if (line.empty()) {
        pos = end + 1;
        continue;
      }
      if (line.substr(0, 2) != "--") break;
      TFPM_RETURN_IF_ERROR(header_line(trim(line.substr(2)), pos));
      pos = end + 1;
    }
    std::string_view sql = trim(text_.substr(std::min(pos, text_.size())));
    if (!sql.empty() && sql.back() == ';') sql.remove_suffix(1);
    out_.sql = std::string(sql);
    out_.origin = origin_;
    return finish(pos);
  }

 private:
  Status fail(std::size_t offset, std::string what, std::string why = {}) const {
    return rule_error(text_, origin_, offset, std::move(what), std::move(why),
                      "see rules/README.md for the header of an analysis");
  }

  Status header_line(std::string_view line, std::size_t offset) {
    const std::size_t colon = line.find(": ");
    std::string_view key = line.substr(0, colon);
    const bool bare = colon == std::string_view::npos;
    if (bare && !line.empty() && line.back() == ':') key = line.substr(0, line.size() - 1);
    const bool is_key =
        !key.empty() && key.find(' ') == std::string_view::npos && (!bare || line.back() == ':');
    if (!is_key) {  // continues the line above
      if (last_text_ != nullptr) last_text_->append(" ").append(line);
      return ok_status();
    }
    const std::string_view value = bare ? std::string_view() : trim(line.substr(colon + 2));
    return header(key, value, offset);
  }

  Status header(std::string_view key, std::string_view value, std::size_t offset) {
    last_text_ = nullptr;
    if (key == "id") {
      out_.id = value;
    } else if (key == "title") {
      out_.title = value;
      last_text_ = &out_.title;
    } else if (key == "class") {
      out_.failure_class = value == "*" ? "" : value;
      class_given_ = true;
    } else if (key == "cause") {
      out_.cause = value;
    } else if (key == "kind") {
      out_.kind = value;
    } else if (key == "needs") {
      out_.needs = split_list(value);
    } else if (key == "explains") {
      out_.explains = split_list(value);
    } else if (key == "why") {
      out_.why = value;
      last_text_ = &out_.why;
    } else if (key == "weight_db") {
      const auto number = parse_number(value);
      if (!number) return fail(offset, "'weight_db' must be a number", std::string(value));
      out_.weight_db = *number;
    } else if (key == "param") {
      return param(value, offset);
    } else {
      return fail(offset, fmt::format("unknown header '{}'", key));
    }
    return ok_status();
  }

  Status param(std::string_view value, std::size_t offset) {
    std::istringstream words{std::string(value)};
    AnalysisParam p;
    std::string number;
    words >> p.name >> number >> p.unit;
    std::getline(words, p.meaning);
    p.meaning = std::string(trim(p.meaning));
    const auto parsed = parse_number(number);
    if (p.name.empty() || !parsed || p.unit.empty() || p.meaning.empty()) {
      return fail(offset, "a parameter is 'name default unit meaning'", std::string(value));
    }
    p.value = *parsed;
    out_.params.push_back(std::move(p));
    return ok_status();
  }

  Result<Analysis> finish(std::size_t pos) {
    if (!is_rule_id(out_.id)) return fail(0, "'-- id:' is missing or malformed", out_.id);
    if (out_.title.empty()) return fail(0, "'-- title:' is missing");
    if (!class_given_) return fail(0, "'-- class:' is missing ('*' supports any hypothesis)");
    if (!out_.failure_class.empty() && !is_class_id(out_.failure_class)) {
      return fail(0, fmt::format("unknown failure class '{}'", out_.failure_class));
    }
    if (out_.why.empty()) return fail(0, "'-- why:' is missing: say what the rule stands on");
    if (out_.sql.empty()) return fail(pos, "no SELECT below the header");
    if (out_.kind.empty()) out_.kind = out_.id;
    return out_;
  }

  std::string_view text_;
  const std::string& origin_;
  Analysis out_;
  bool class_given_ = false;
  std::string* last_text_ = nullptr;
};

}  // namespace

Result<Analysis> parse_analysis(std::string_view sql, const std::string& origin) {
  return AnalysisReader(sql, origin).read();
}

}  // namespace tfpm
