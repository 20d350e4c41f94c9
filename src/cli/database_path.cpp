#include "cli/database_path.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace tfpm::cli {

std::string database_path(const std::string& given) {
  std::error_code failed;
  if (std::filesystem::is_directory(given, failed)) return given + "/tfpm.db";
  return given;
}

Result<Database> open_database(const std::string& given) {
  const std::string path = database_path(given);
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) {
    return error(ErrorKind::kNotFound, "cannot open the database", path,
                 failed ? failed.message() : std::strerror(ENOENT),
                 "give the tfpm.db or the output directory of `tfpm analyze`");
  }
  return Database::open_read_only(path);
}

}  // namespace tfpm::cli
