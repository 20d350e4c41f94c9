#include <sqlite3.h>

#include <utility>

#include "store/database.h"
#include "store/store_error.h"

namespace tfpm {

Statement::Statement(Statement&& other) noexcept : stmt_(std::exchange(other.stmt_, nullptr)) {}

Statement& Statement::operator=(Statement&& other) noexcept {
  if (this != &other) {
    sqlite3_finalize(stmt_);
    stmt_ = std::exchange(other.stmt_, nullptr);
  }
  return *this;
}

Statement::~Statement() {
  sqlite3_finalize(stmt_);
}

Statement& Statement::bind(int index, std::int64_t value) {
  TFPM_CHECK(sqlite3_bind_int64(stmt_, index, value) == SQLITE_OK);
  return *this;
}

Statement& Statement::bind(int index, double value) {
  TFPM_CHECK(sqlite3_bind_double(stmt_, index, value) == SQLITE_OK);
  return *this;
}

Statement& Statement::bind(int index, std::string_view value) {
  // A null data pointer would bind NULL; an empty text is not an unknown one.
  const char* data = value.data() == nullptr ? "" : value.data();
  TFPM_CHECK(sqlite3_bind_text64(stmt_, index, data, value.size(), SQLITE_STATIC, SQLITE_UTF8) ==
             SQLITE_OK);
  return *this;
}

Statement& Statement::bind_null(int index) {
  TFPM_CHECK(sqlite3_bind_null(stmt_, index) == SQLITE_OK);
  return *this;
}

Result<bool> Statement::step() {
  const int rc = sqlite3_step(stmt_);
  if (rc == SQLITE_ROW) return true;
  if (rc == SQLITE_DONE) return false;
  std::string why = sqlite3_errmsg(sqlite3_db_handle(stmt_));
  const char* sql = sqlite3_sql(stmt_);
  sqlite3_reset(stmt_);
  return store_error(rc, std::move(why), sql == nullptr ? "" : sql);
}

Status Statement::run() {
  const Result<bool> result = step();
  reset();
  return result.status();
}

void Statement::reset() {
  sqlite3_reset(stmt_);
}

int Statement::column_count() const {
  return sqlite3_column_count(stmt_);
}

std::string_view Statement::column_name(int index) const {
  return sqlite3_column_name(stmt_, index);
}

bool Statement::is_null(int index) const {
  return sqlite3_column_type(stmt_, index) == SQLITE_NULL;
}

std::int64_t Statement::as_int(int index) const {
  return sqlite3_column_int64(stmt_, index);
}

double Statement::as_double(int index) const {
  return sqlite3_column_double(stmt_, index);
}

std::string_view Statement::as_text(int index) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(stmt_, index));
  if (text == nullptr) return {};
  return {text, static_cast<std::size_t>(sqlite3_column_bytes(stmt_, index))};
}

std::optional<std::int64_t> Statement::maybe_int(int index) const {
  if (is_null(index)) return std::nullopt;
  return as_int(index);
}

std::optional<double> Statement::maybe_double(int index) const {
  if (is_null(index)) return std::nullopt;
  return as_double(index);
}

Value Statement::value(int index) const {
  switch (sqlite3_column_type(stmt_, index)) {
    case SQLITE_INTEGER:
      return as_int(index);
    case SQLITE_FLOAT:
      return as_double(index);
    case SQLITE_NULL:
      return std::monostate{};
    default:
      return text(index);
  }
}

}  // namespace tfpm
