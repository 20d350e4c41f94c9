#include "cli/read_only_sql.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <utility>

namespace tfpm::cli {
namespace {

constexpr std::array<std::string_view, 9> kPragmas = {
    "table_info",  "table_xinfo",  "table_list",     "index_list",     "index_info",
    "index_xinfo", "user_version", "application_id", "integrity_check"};

int authorize(void*, int action, const char* first, const char* second, const char*, const char*) {
  const std::string_view name = first == nullptr ? "" : first;
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_FUNCTION:
      return second != nullptr && std::string_view(second) == "load_extension" ? SQLITE_DENY
                                                                               : SQLITE_OK;
    case SQLITE_PRAGMA:
      return std::find(kPragmas.begin(), kPragmas.end(), name) != kPragmas.end() ? SQLITE_OK
                                                                                 : SQLITE_DENY;
    default:
      return SQLITE_DENY;
  }
}

Status sql_error(Database& db, int code) {
  const bool denied = code == SQLITE_AUTH || code == SQLITE_READONLY;
  return error(ErrorKind::kUsage, denied ? "only reading is allowed here" : "the query failed", {},
               sqlite3_errmsg(db.handle()),
               denied ? "copy tfpm.db and use sqlite3 on the copy to change it"
                      : "`tfpm schema` prints all tables and columns");
}

// Text behind the first statement that is more than space, semicolons and comments.
bool has_second_statement(Database& db, const char* tail) {
  while (*tail != '\0') {
    sqlite3_stmt* more = nullptr;
    const char* rest = nullptr;
    const int code = sqlite3_prepare_v2(db.handle(), tail, -1, &more, &rest);
    sqlite3_finalize(more);
    if (code != SQLITE_OK || more != nullptr) return true;
    if (rest == tail) return false;
    tail = rest;
  }
  return false;
}

}  // namespace

Status run_read_only(Database& db, const std::string& sql, const RowHandler& handler) {
  sqlite3_set_authorizer(db.handle(), &authorize, nullptr);
  sqlite3_stmt* raw = nullptr;
  const char* tail = nullptr;
  const int code = sqlite3_prepare_v2(db.handle(), sql.c_str(), -1, &raw, &tail);
  if (code != SQLITE_OK) return sql_error(db, code);
  if (raw == nullptr) return error(ErrorKind::kUsage, "the query is empty");
  Statement statement(raw);
  if (has_second_statement(db, tail)) {
    return error(ErrorKind::kUsage, "more than one statement given", tail, {},
                 "run them one after the other");
  }
  std::vector<std::string> names;
  const int columns = statement.column_count();
  names.reserve(static_cast<std::size_t>(columns));
  for (int i = 0; i < columns; ++i) names.emplace_back(statement.column_name(i));
  TFPM_RETURN_IF_ERROR(handler.columns(std::move(names)));
  for (;;) {
    const int step = sqlite3_step(raw);
    if (step == SQLITE_DONE) return ok_status();
    if (step != SQLITE_ROW) return sql_error(db, step);
    std::vector<Value> row;
    row.reserve(static_cast<std::size_t>(columns));
    for (int i = 0; i < columns; ++i) row.push_back(statement.value(i));
    TFPM_RETURN_IF_ERROR(handler.row(std::move(row)));
  }
}

}  // namespace tfpm::cli
