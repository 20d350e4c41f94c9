#include "parsers/detail/environment_lines.h"

#include <algorithm>

#include "parsers/detail/environment_banners.h"
#include "parsers/detail/environment_tools.h"
#include "parsers/detail/text.h"

namespace tfpm {
namespace {

using Line = EnvironmentReader::Line;
using Kind = EnvironmentReader::Kind;

constexpr std::size_t kMaxValue = 2000;

bool is_package_name(std::string_view name) {
  if (name.empty() || !is_word(name[0])) return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return is_word(c) || c == '-' || c == '.'; });
}

std::string normalised_package(std::string_view name) {
  std::string out = to_lower(name);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c == '_' || c == '.'; }, '-');
  return out;
}

Line package(std::string_view name, std::string_view version) {
  return {Kind::kPackage,
          {{normalised_package(name), clean_utf8(masked_value({}, version), kMaxValue)}}};
}

// "name==1.2", "name @ file:///...", "-e git+...#egg=name", conda's "name=1.2=build".
std::optional<Line> read_requirement(std::string_view line) {
  if (line.starts_with("-e ")) {
    const std::size_t egg = line.rfind("#egg=");
    if (egg == std::string_view::npos || !is_package_name(line.substr(egg + 5))) {
      return Line{Kind::kNeutral, {}};
    }
    return package(line.substr(egg + 5), trim(line.substr(3, egg - 3)));
  }
  if (const std::size_t at = line.find(" @ "); at != std::string_view::npos) {
    if (is_package_name(line.substr(0, at))) {
      return package(line.substr(0, at), trim(line.substr(at + 3)));
    }
  }
  const std::size_t equals = line.find("==");
  if (equals == std::string_view::npos || !is_package_name(line.substr(0, equals))) {
    return std::nullopt;
  }
  std::string_view version = line.substr(equals + 2);
  version = trim(version.substr(0, version.find(';')));  // "; python_version < '3.8'"
  if (version.empty() || contains(version, " ")) return std::nullopt;
  return package(line.substr(0, equals), version);
}

// Conda's export form; only sure when the build string is there.
std::optional<Line> read_conda_export(std::string_view line) {
  const std::vector<std::string_view> parts = split(line, '=');
  if (parts.size() != 3 || !is_package_name(parts[0]) || parts[1].empty() || parts[2].empty()) {
    return std::nullopt;
  }
  if (!is_digit(parts[1][0]) || contains(line, " ")) return std::nullopt;
  return package(parts[0], parts[1]);
}

bool is_dashes(std::string_view line) {
  return line.size() >= 6 && line.find_first_not_of("- ") == std::string_view::npos;
}

}  // namespace

std::optional<Assignment> parse_assignment(std::string_view line) {
  eat(line, "export ");
  eat(line, "declare -x ");
  std::size_t n = 0;
  while (n < line.size() && is_word(line[n])) ++n;
  if (n == 0 || is_digit(line[0]) || n >= line.size() || line[n] != '=') return std::nullopt;
  return Assignment{line.substr(0, n), line.substr(n + 1)};
}

bool is_secret_name(std::string_view name) {
  const std::string lower = to_lower(name);
  for (const std::string_view word :
       {"token", "secret", "passw", "key", "credential", "auth", "cookie", "private"}) {
    if (contains(lower, word)) return true;
  }
  return false;
}

std::string masked_value(std::string_view name, std::string_view value) {
  if (is_secret_name(name)) return "***";
  const std::size_t scheme = value.find("://");
  if (scheme == std::string_view::npos) return std::string(value);
  const std::size_t begin = scheme + 3;
  const std::size_t end = value.find_first_of("/ ,;\"'", begin);
  const std::size_t at = value.substr(0, end).rfind('@');
  if (at == std::string_view::npos || at < begin) return std::string(value);
  return std::string(value.substr(0, begin)) + "***" + std::string(value.substr(at));
}

Line EnvironmentReader::read_table_row(std::string_view line) {
  const std::vector<std::string_view> cells = split_blanks(line);
  const bool row = cells.size() >= 2 && is_package_name(cells[0]) && cells.size() <= 5;
  return row ? package(cells[0], cells[1]) : Line{};
}

Line EnvironmentReader::read(std::string_view line) {
  line = trim(line);
  if (line.empty()) {
    table_ = Table::kNone;
    return {Kind::kNeutral, {}};
  }
  if (contains(line, "packages in environment at")) {
    table_ = Table::kConda;
    return {Kind::kNeutral, {}};
  }
  if (line[0] == '#' || line.starts_with("--")) {
    if (table_ != Table::kConda && is_dashes(line)) table_ = Table::kPip;
    return {Kind::kNeutral, {}};
  }
  const std::vector<std::string_view> cells = split_blanks(line);
  if (cells.size() >= 2 && cells[0] == "Package" && cells[1] == "Version") {
    return {Kind::kNeutral, {}};
  }
  if (auto requirement = read_requirement(line)) return *requirement;
  if (auto entries = read_banner(line); !entries.empty()) return {Kind::kBanner, entries};
  if (auto library = read_linked_library(line)) return {Kind::kBanner, {*std::move(library)}};
  if (is_tool_chatter(line)) return {Kind::kNeutral, {}};
  if (auto conda = read_conda_export(line)) return *conda;
  if (const auto variable = parse_assignment(line)) {
    return {Kind::kVariable,
            {{"env:" + std::string(variable->name),
              clean_utf8(masked_value(variable->name, variable->value), kMaxValue)}}};
  }
  if (table_ != Table::kNone) return read_table_row(line);
  return {};
}

}  // namespace tfpm
