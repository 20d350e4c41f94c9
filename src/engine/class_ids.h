// The failure classes of contract.md section 3 and the form of rule ids.
#pragma once

#include <span>
#include <string_view>

namespace tfpm {

// All class ids a finding may carry, verdict-only ones and 'data-quality' and 'note' included.
std::span<const std::string_view> class_ids();
bool is_class_id(std::string_view id);
// 'data-quality' and 'note': findings that are no failure and never a verdict.
bool is_remark(std::string_view id);
// Lower-case letters, digits, '-' and '_', at least one.
bool is_rule_id(std::string_view id);

}  // namespace tfpm
