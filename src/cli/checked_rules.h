#pragma once

#include <optional>
#include <string>

#include "engine/rules.h"

namespace tfpm::cli {

// load_rules() for commands that are about to use them: a user's directory is checked to the
// bottom, SQL included, before the work starts.
Result<RuleSet> load_checked_rules(const std::optional<std::string>& dir);

}  // namespace tfpm::cli
