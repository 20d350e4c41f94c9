// Rule files: loading, checking, hashing (architecture.md section 8).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/signature.h"
#include "base/status.h"

namespace tfpm {

// A parameter of an analysis, `-- param: name default unit meaning`; bound as :name in its SQL.
struct AnalysisParam {
  std::string name;
  double value = 0;
  std::string unit;
  std::string meaning;
};

// An analysis: one .sql file with header comments and one SELECT (rules/README.md).
struct Analysis {
  std::string id;
  std::string title;
  std::string failure_class;  // empty: supports any hypothesis about its worker
  std::string cause;
  std::string kind;                   // evidence kind for the one-vote rule; the id by default
  std::vector<std::string> needs;     // tables that must have rows
  std::vector<std::string> explains;  // signature ids folded under its finding
  double weight_db = 0;               // default for rows whose weight_db is NULL
  std::vector<AnalysisParam> params;
  std::string why;
  std::string sql;
  std::string origin;  // file, for messages
};

struct RuleSet {
  std::vector<Signature> signatures;  // sorted by id
  std::vector<Analysis> analyses;     // sorted by id
  std::string hash;                   // 16 hex digits over ids and contents
};

// Built-in rules, overlaid by those of `dir` (same id replaces). Any broken file is an error with
// line and column.
Result<RuleSet> load_rules(const std::optional<std::string>& dir);

// One file each; `origin` is used in messages.
Result<Signature> parse_signature(std::string_view json, const std::string& origin);
Result<Analysis> parse_analysis(std::string_view sql, const std::string& origin);

// Runs samples and non-samples; OK when every sample is hit and no non-sample is.
Status check_samples(const Signature& signature);

// Prepares and runs every analysis on an empty store; one error for each that is broken: unknown
// tables, SQL that does not compile, wrong columns.
Result<std::vector<Status>> broken_analyses(const std::vector<Analysis>& analyses);

// Longest text (>= 1 byte) that every match of the RE2 expression must contain; empty when there is
// none.
std::string necessary_literal(std::string_view re);

}  // namespace tfpm
