#include "report/query.h"

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/secrets.h"
#include "report/text.h"

namespace tfpm::report {
namespace {

std::string clean(std::string_view text, std::size_t max_bytes) {
  // Masked before it is cut, so that a cut cannot leave a part of a secret that no rule knows. A
  // byte may grow to the three of U+FFFD.
  const std::string masked = mask_secrets(clean_utf8(text, 3 * text.size()));
  return std::string(cut_utf8(masked, max_bytes));
}

}  // namespace

std::string clean_text(const Statement& row, int column, std::size_t max_bytes) {
  return clean(row.as_text(column), max_bytes);
}

MaybeText maybe_text(const Statement& row, int column, std::size_t max_bytes) {
  if (row.is_null(column)) return std::nullopt;
  return clean_text(row, column, max_bytes);
}

std::vector<std::string> text_list(const Statement& row, int column) {
  std::vector<std::string> out;
  const auto json = nlohmann::json::parse(row.as_text(column), nullptr, false);
  if (!json.is_array()) return out;
  for (const auto& item : json) {
    if (!item.is_string()) continue;
    out.push_back(clean(item.get_ref<const std::string&>(), kMaxText));
  }
  return out;
}

StepRange step_range(const Statement& row, int column) {
  return {row.maybe_int(column), row.maybe_int(column + 1)};
}

}  // namespace tfpm::report
