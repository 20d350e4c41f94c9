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

namespace {

Status check_exists(const std::string& path) {
  std::error_code failed;
  if (std::filesystem::exists(path, failed)) return ok_status();
  return error(ErrorKind::kNotFound, "cannot open the database", path,
               failed ? failed.message() : std::strerror(ENOENT),
               "give the tfpm.db or the output directory of `tfpm analyze`");
}

}  // namespace

Result<Database> open_database(const std::string& given) {
  const std::string path = database_path(given);
  TFPM_RETURN_IF_ERROR(check_exists(path));
  return Database::open_read_only(path);
}

Result<Database> open_database_for_update(const std::string& given) {
  const std::string path = database_path(given);
  TFPM_RETURN_IF_ERROR(check_exists(path));
  return Database::open_for_update(path);
}

}  // namespace tfpm::cli
