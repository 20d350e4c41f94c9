#include "store/bulk_insert.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <memory>
#include <string>

#include "store/store_error.h"

namespace tfpm {
namespace {

constexpr const char* kModule = "tfpm_feed";

// What SQLite is told of the feed: a virtual table without a name of its own that can be scanned.
struct Source {
  RowFeed* feed = nullptr;
  std::size_t columns = 0;
};

struct FeedTable : sqlite3_vtab {
  Source source;
};

struct FeedCursor : sqlite3_vtab_cursor {
  bool at_end = true;
  sqlite3_int64 row = 0;
};

RowFeed& feed_of(sqlite3_vtab_cursor* cursor) {
  return *static_cast<FeedTable*>(cursor->pVtab)->source.feed;
}

int connect(sqlite3* db, void* aux, int, const char* const*, sqlite3_vtab** out, char**) {
  const Source& source = *static_cast<const Source*>(aux);
  std::string declared = "CREATE TABLE feed(c0";
  for (std::size_t i = 1; i < source.columns; ++i) declared += fmt::format(",c{}", i);
  const int rc = sqlite3_declare_vtab(db, (declared + ")").c_str());
  if (rc != SQLITE_OK) return rc;
  auto table = std::make_unique<FeedTable>();
  table->source = source;
  *out = table.release();
  return SQLITE_OK;
}

int disconnect(sqlite3_vtab* table) {
  const std::unique_ptr<FeedTable> owned(static_cast<FeedTable*>(table));
  return SQLITE_OK;
}

int best_index(sqlite3_vtab*, sqlite3_index_info*) {
  return SQLITE_OK;
}

int open_cursor(sqlite3_vtab*, sqlite3_vtab_cursor** out) {
  *out = std::make_unique<FeedCursor>().release();
  return SQLITE_OK;
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
  const std::unique_ptr<FeedCursor> owned(static_cast<FeedCursor*>(cursor));
  return SQLITE_OK;
}

int next_row(sqlite3_vtab_cursor* cursor) {
  auto* at = static_cast<FeedCursor*>(cursor);
  at->at_end = !feed_of(cursor).next();
  ++at->row;
  return SQLITE_OK;
}

// The one scan of the one statement begins.
int begin_scan(sqlite3_vtab_cursor* cursor, int, const char*, int, sqlite3_value**) {
  return next_row(cursor);
}

int at_end(sqlite3_vtab_cursor* cursor) {
  return static_cast<FeedCursor*>(cursor)->at_end ? 1 : 0;
}

int rowid(sqlite3_vtab_cursor* cursor, sqlite3_int64* out) {
  *out = static_cast<FeedCursor*>(cursor)->row;
  return SQLITE_OK;
}

int column(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int index) {
  const BulkValue value = feed_of(cursor).column(static_cast<std::size_t>(index));
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    sqlite3_result_int64(context, *integer);
  } else if (const auto* number = std::get_if<double>(&value)) {
    sqlite3_result_double(context, *number);
  } else if (const auto* text = std::get_if<std::string_view>(&value)) {
    sqlite3_result_text64(context, text->data(), text->size(), SQLITE_STATIC, SQLITE_UTF8);
  }
  return SQLITE_OK;
}

constexpr sqlite3_module make_module() {
  sqlite3_module m = {};
  m.xConnect = connect;
  m.xBestIndex = best_index;
  m.xDisconnect = disconnect;
  m.xOpen = open_cursor;
  m.xClose = close_cursor;
  m.xFilter = begin_scan;
  m.xNext = next_row;
  m.xEof = at_end;
  m.xColumn = column;
  m.xRowid = rowid;
  return m;
}

// SQLite lets go of a table some statements after its module is gone, and asks it to even then.
constexpr sqlite3_module kFunctions = make_module();

// The module is known to the connection for as long as this lives.
class FeedModule {
 public:
  FeedModule(sqlite3* db, Source& source)
      : db_(db), rc_(sqlite3_create_module(db, kModule, &kFunctions, &source)) {}
  ~FeedModule() { sqlite3_create_module(db_, kModule, nullptr, nullptr); }
  FeedModule(const FeedModule&) = delete;
  FeedModule& operator=(const FeedModule&) = delete;
  int result() const { return rc_; }

 private:
  sqlite3* db_;
  int rc_;
};

}  // namespace

Status insert_all(Database& db, std::string_view table,
                  const std::vector<std::string_view>& columns, RowFeed& feed) {
  Source source{&feed, columns.size()};
  const FeedModule module(db.handle(), source);
  if (module.result() != SQLITE_OK) {
    return store_error(module.result(), sqlite3_errmsg(db.handle()), kModule);
  }
  return db.execute(
      fmt::format("INSERT INTO {}({}) SELECT * FROM {}", table, fmt::join(columns, ","), kModule));
}

}  // namespace tfpm
