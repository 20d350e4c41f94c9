#include "store/store_error.h"

#include <sqlite3.h>

#include <utility>

namespace tfpm {
namespace {

constexpr std::size_t kShownSql = 300;

struct Advice {
  ErrorKind kind = ErrorKind::kInternal;
  const char* help = "";
};

Advice advice_for(int code) {
  switch (code & 0xff) {
    case SQLITE_FULL:
    case SQLITE_IOERR:
      return {ErrorKind::kIo, "free space on the output's file system, then run again"};
    case SQLITE_READONLY:
      return {ErrorKind::kIo, "make the database and its folder writable, or work on a copy"};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {ErrorKind::kIo, "another program works on the database: run again when it is done"};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return {ErrorKind::kDamaged, "copy the database again, or analyse the bundle again"};
    default:
      return {};
  }
}

}  // namespace

Status store_error(int code, std::string why, std::string_view sql) {
  const Advice advice = advice_for(code);
  const bool ours = advice.kind == ErrorKind::kInternal;
  return error(advice.kind, "the database refused a statement",
               ours ? std::string(sql.substr(0, kShownSql)) : "", std::move(why), advice.help);
}

}  // namespace tfpm
