// One SQLite connection and its prepared statements.
//
// The store is written once, under a temporary name, without journal and without sync, and is then
// renamed into place (architecture.md section 4). After that it is opened read-only, or for
// `diagnose`, which rewrites only the tables the engine owns.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/row.h"
#include "base/status.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tfpm {

// A prepared statement. Not copyable; must not outlive its Database.
class Statement {
 public:
  Statement() = default;
  explicit Statement(sqlite3_stmt* stmt) : stmt_(stmt) {}
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&& other) noexcept;
  ~Statement();

  // Parameters are numbered from 1. Text is not copied: it must live until the next step() or
  // reset().
  Statement& bind(int index, std::int64_t value);
  Statement& bind(int index, double value);
  Statement& bind(int index, std::string_view value);
  Statement& bind_null(int index);

  // true: a row is there; false: done. An error keeps SQLite's text.
  Result<bool> step();
  // step() for statements without rows, then reset().
  Status run();
  void reset();

  // Columns are numbered from 0. The views live until the next step() or reset().
  int column_count() const;
  std::string_view column_name(int index) const;
  bool is_null(int index) const;
  std::int64_t as_int(int index) const;
  double as_double(int index) const;
  std::string_view as_text(int index) const;
  std::optional<std::int64_t> maybe_int(int index) const;
  std::optional<double> maybe_double(int index) const;
  // NULL gives an empty string; use is_null() where the difference matters.
  std::string text(int index) const { return std::string(as_text(index)); }
  // The column with its own type; text is copied.
  Value value(int index) const;

  sqlite3_stmt* handle() const { return stmt_; }

 private:
  sqlite3_stmt* stmt_ = nullptr;
};

class Database {
 public:
  // Creates an empty store at `path` (which must not exist) with all tables of schema/*.sql, set up
  // for loading.
  static Result<Database> create(const std::string& path);
  // An in-memory store with all tables, for tests.
  static Result<Database> create_in_memory();
  // Opens an existing store and checks application_id and user_version.
  static Result<Database> open_read_only(const std::string& path);
  static Result<Database> open_for_update(const std::string& path);

  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  Result<Statement> prepare(std::string_view sql);
  // Runs one or more statements without results.
  Status execute(std::string_view sql);
  // First column of the first row; nullopt when there is no row or it is NULL.
  Result<std::optional<std::int64_t>> query_int(std::string_view sql);
  Result<std::optional<std::string>> query_text(std::string_view sql);
  std::int64_t last_insert_id() const;

  // Builds the indexes of the schema, runs ANALYZE and marks the file as complete. Call once, after
  // loading.
  Status finish_loading();

  sqlite3* handle() const { return db_.get(); }

 private:
  struct Closer {
    void operator()(sqlite3* db) const;
  };
  explicit Database(sqlite3* db) : db_(db) {}
  std::unique_ptr<sqlite3, Closer> db_;
};

inline constexpr std::int64_t kApplicationId = 0x7466706d;  // "tfpm"
inline constexpr std::int64_t kSchemaVersion = 1;

// The text of schema/*.sql in order, as `tfpm schema` prints it. Index statements come last.
std::string schema_text();

}  // namespace tfpm
