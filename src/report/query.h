// Reading rows for the report: texts come out valid and masked, JSON arrays as lists.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "report/model.h"
#include "store/database.h"

namespace tfpm::report {

// Calls `fn` once for every row of `sql`.
template <typename Fn>
Status for_each_row(Database& db, std::string_view sql, Fn&& fn) {
  Result<Statement> statement = db.prepare(sql);
  if (!statement.ok()) return statement.status();
  while (true) {
    const Result<bool> row = statement->step();
    if (!row.ok()) return row.status();
    if (!*row) return ok_status();
    fn(*statement);
  }
}

// Column texts, valid UTF-8, secrets masked, at most `max_bytes`.
inline constexpr std::size_t kMaxText = 2000;
std::string clean_text(const Statement& row, int column, std::size_t max_bytes = kMaxText);
MaybeText maybe_text(const Statement& row, int column, std::size_t max_bytes = kMaxText);
// A JSON array of strings; anything else gives an empty list.
std::vector<std::string> text_list(const Statement& row, int column);
// Columns `column` and `column + 1` as an interval.
StepRange step_range(const Statement& row, int column);

}  // namespace tfpm::report
