// Lines that state versions or variables: pip, conda, env, build information, tool banners
// (log-formats.md 11).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tfpm {

// One component and its version or value, secrets masked. Package names are lower case with '-'
// for '_' and '.', so that tasks can be compared; variables are "env:NAME".
struct EnvironmentEntry {
  std::string component;
  std::string version;
};

// Reads a dump line by line; knows tables (pip list, conda list) by their headers.
class EnvironmentReader {
 public:
  enum class Kind {
    kNone,      // says nothing this reader knows
    kNeutral,   // header, comment, rule of dashes, empty: neither for nor against
    kPackage,   // a package and its version
    kBanner,    // a tool's version line
    kVariable,  // NAME=value
  };
  struct Line {
    Kind kind = Kind::kNone;
    std::vector<EnvironmentEntry> entries;
  };
  Line read(std::string_view line);

 private:
  Line read_table_row(std::string_view line);

  enum class Table { kNone, kPip, kConda };
  Table table_ = Table::kNone;
};

// "NAME=value" with a shell name in front; also behind "export " and "declare -x ".
struct Assignment {
  std::string_view name;
  std::string_view value;
};
std::optional<Assignment> parse_assignment(std::string_view line);

// Names whose values must not be stored (token, key, secret, password, ...).
bool is_secret_name(std::string_view name);
// `value` with "***" for everything of a secret variable and for passwords inside URLs.
std::string masked_value(std::string_view name, std::string_view value);

}  // namespace tfpm
