#include "store/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <filesystem>
#include <span>
#include <utility>

#include "base/embedded.h"
#include "store/store_error.h"

namespace tfpm {

std::span<const EmbeddedFile> embedded_schema();

namespace {

// Indexes and views are made after the load (architecture.md section 4), tables before it.
bool is_index_file(std::string_view name) {
  return name.substr(0, 2) >= "95";
}

Status open_error(sqlite3* db, const std::string& path) {
  return error(ErrorKind::kUnreadable, "cannot open the database", path,
               db == nullptr ? "out of memory" : sqlite3_errmsg(db),
               "check that the path is a tfpm.db written by `tfpm analyze`");
}

// SQLite takes the missing part of a cut last page for zeros and would answer without it.
Status check_size(Database& db, const std::string& path) {
  const auto expected =
      db.query_int("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size");
  if (!expected.ok()) return open_error(db.handle(), path);
  std::error_code failed;
  const std::uintmax_t size = std::filesystem::file_size(path, failed);
  if (failed || size >= static_cast<std::uintmax_t>(expected->value_or(0))) return ok_status();
  return error(ErrorKind::kUnreadable, "the database is cut off", path,
               fmt::format("{} bytes of {}", size, expected->value_or(0)),
               "copy it again, or run `tfpm analyze` on the bundle again");
}

Status apply_schema(Database& db, bool indexes) {
  for (const EmbeddedFile& file : embedded_schema()) {
    if (is_index_file(file.name) == indexes) TFPM_RETURN_IF_ERROR(db.execute(file.text));
  }
  return ok_status();
}

// Loading pragmas: the file is temporary until it is renamed, so no crash safety is paid for
// (performance.md section 3).
constexpr std::string_view kLoadPragmas =
    "PRAGMA page_size=16384; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
    "PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=-16384; PRAGMA foreign_keys=OFF;";

}  // namespace

void Database::Closer::operator()(sqlite3* db) const {
  sqlite3_close_v2(db);
}

Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Result<Database> Database::create(const std::string& path) {
  sqlite3* raw = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  const int rc = sqlite3_open_v2(path.c_str(), &raw, flags, nullptr);
  Database db(raw);
  if (rc != SQLITE_OK) {
    return error(ErrorKind::kIo, "cannot create the database", path,
                 raw == nullptr ? "out of memory" : sqlite3_errmsg(raw),
                 "choose a writable output directory with -o");
  }
  TFPM_RETURN_IF_ERROR(db.execute(kLoadPragmas));
  TFPM_RETURN_IF_ERROR(apply_schema(db, false));
  TFPM_RETURN_IF_ERROR(db.execute("BEGIN"));
  return db;
}

Result<Database> Database::create_in_memory() {
  return create(":memory:");
}

Result<Database> Database::open_read_only(const std::string& path) {
  sqlite3* raw = nullptr;
  const int rc =
      sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
  Database db(raw);
  if (rc != SQLITE_OK) return open_error(raw, path);
  const auto id = db.query_int("PRAGMA application_id");
  if (!id.ok()) return open_error(raw, path);
  if (id->value_or(0) != kApplicationId) {
    return error(ErrorKind::kUnreadable, "this is not a tfpm database", path, "",
                 "give the tfpm.db inside the output directory of `tfpm analyze`");
  }
  TFPM_RETURN_IF_ERROR(check_size(db, path));
  const auto version = db.query_int("PRAGMA user_version");
  if (!version.ok()) return version.status();
  if (version->value_or(0) > kSchemaVersion) {
    return error(ErrorKind::kUnreadable, "the database was written by a newer tfpm", path,
                 fmt::format("schema {} > {}", version->value_or(0), kSchemaVersion),
                 "use the newer tfpm, or run `tfpm analyze` on the bundle again");
  }
  return db;
}

Result<Database> Database::open_for_update(const std::string& path) {
  Result<Database> checked = open_read_only(path);
  if (!checked.ok()) return checked;
  sqlite3* raw = nullptr;
  const int rc =
      sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  Database db(raw);
  if (rc != SQLITE_OK) return open_error(raw, path);
  return db;
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* stmt = nullptr;
  const int rc =
      sqlite3_prepare_v3(db_.get(), sql.data(), static_cast<int>(sql.size()), 0, &stmt, nullptr);
  if (rc != SQLITE_OK) {
    return error(ErrorKind::kInternal, "cannot prepare SQL", std::string(sql.substr(0, 300)),
                 sqlite3_errmsg(db_.get()));
  }
  return Statement(stmt);
}

Status Database::execute(std::string_view sql) {
  char* message = nullptr;
  const int rc = sqlite3_exec(db_.get(), std::string(sql).c_str(), nullptr, nullptr, &message);
  if (rc == SQLITE_OK) return ok_status();
  std::string why = message == nullptr ? sqlite3_errstr(rc) : message;
  sqlite3_free(message);
  return store_error(rc, std::move(why), sql);
}

Result<std::optional<std::int64_t>> Database::query_int(std::string_view sql) {
  Result<Statement> stmt = prepare(sql);
  if (!stmt.ok()) return stmt.status();
  const Result<bool> row = stmt->step();
  if (!row.ok()) return row.status();
  return *row ? stmt->maybe_int(0) : std::nullopt;
}

Result<std::optional<std::string>> Database::query_text(std::string_view sql) {
  Result<Statement> stmt = prepare(sql);
  if (!stmt.ok()) return stmt.status();
  const Result<bool> row = stmt->step();
  if (!row.ok()) return row.status();
  if (!*row || stmt->is_null(0)) return std::optional<std::string>();
  return std::optional<std::string>(stmt->text(0));
}

std::int64_t Database::last_insert_id() const {
  return sqlite3_last_insert_rowid(db_.get());
}

Status Database::finish_loading() {
  TFPM_RETURN_IF_ERROR(execute("COMMIT"));
  TFPM_RETURN_IF_ERROR(apply_schema(*this, true));
  TFPM_RETURN_IF_ERROR(execute("ANALYZE"));
  TFPM_RETURN_IF_ERROR(execute(fmt::format("PRAGMA application_id={}; PRAGMA user_version={};",
                                           kApplicationId, kSchemaVersion)));
  return ok_status();
}

std::string schema_text() {
  std::string out;
  for (const EmbeddedFile& file : embedded_schema()) {
    out += fmt::format("-- {}\n{}\n", file.name, file.text);
  }
  return out;
}

}  // namespace tfpm
