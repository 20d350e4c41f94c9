#include "cli/checked_rules.h"

namespace tfpm::cli {

Result<RuleSet> load_checked_rules(const std::optional<std::string>& dir) {
  Result<RuleSet> rules = load_rules(dir);
  if (!rules.ok() || !dir.has_value()) return rules;
  const Result<std::vector<Status>> broken = broken_analyses(rules->analyses);
  if (!broken.ok()) return broken.status();
  if (!broken->empty()) return broken->front();
  return rules;
}

}  // namespace tfpm::cli
