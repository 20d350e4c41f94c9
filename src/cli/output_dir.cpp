#include "cli/output_dir.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "cli/file_output.h"
#include "cli/outputs.h"

namespace tfpm::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".partial-XXXXXX";

// 'a/b/' -> 'a/b': the temporary folder lies beside, not inside.
std::string without_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

}  // namespace

Status OutputDir::check(const std::string& target, bool force) {
  if (target.empty()) {
    return error(ErrorKind::kUsage, "the output has no name", {}, {}, "give a place with -o");
  }
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(without_slashes(target), ignored);
  if (!fs::exists(status)) return ok_status();
  if (!force) {
    return error(ErrorKind::kExists, "the output exists", target, {},
                 "give another place with -o, or --force to replace it");
  }
  if (!fs::is_directory(target, ignored)) {
    return error(ErrorKind::kExists, "the output is not a directory", target, {},
                 "give another place with -o");
  }
  // A folder cannot be replaced by a file: half of the outputs would be new, half old.
  for (const std::string& name : output_files()) {
    const std::string file = without_slashes(target) + "/" + name;
    if (fs::is_directory(fs::symlink_status(file, ignored))) {
      return error(ErrorKind::kExists, "a folder is in the place of an output file", file, {},
                   "give another place with -o");
    }
  }
  return ok_status();
}

Result<OutputDir> OutputDir::create(const std::string& target, bool force) {
  TFPM_RETURN_IF_ERROR(check(target, force));
  const std::string final_path = without_slashes(target);
  std::error_code ignored;
  const bool exists = fs::is_directory(final_path, ignored);
  // Inside an existing directory: its parent may not be writable.
  std::string temporary = (exists ? final_path + "/tfpm" : final_path) + std::string(kSuffix);
  if (::mkdtemp(temporary.data()) == nullptr) {
    return output_error("cannot create the output directory", final_path, errno);
  }
  // mkdtemp makes it private; the result is as open as other new directories of the user.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  fs::permissions(temporary, static_cast<fs::perms>(0777 & ~mask), ignored);
  return OutputDir(final_path, temporary, exists);
}

OutputDir::OutputDir(OutputDir&& other) noexcept
    : target_(std::move(other.target_)),
      temporary_(std::move(other.temporary_)),
      exists_(other.exists_) {
  other.temporary_.clear();
}

OutputDir::~OutputDir() {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

Status OutputDir::commit(const std::vector<std::string>& names) {
  std::error_code ignored;
  // The store was written without sync: its bytes must be there before its name is.
  for (const std::string& name : names) {
    if (fs::exists(path(name), ignored)) TFPM_RETURN_IF_ERROR(flush_to_disk(path(name)));
  }
  TFPM_RETURN_IF_ERROR(flush_to_disk(temporary_));
  if (!exists_) return move_file(temporary_, target_);
  for (const std::string& name : names) {
    const std::string to = target_ + "/" + name;
    if (fs::exists(path(name), ignored)) {
      TFPM_RETURN_IF_ERROR(move_file(path(name), to));
    } else {
      fs::remove(to, ignored);  // of an earlier run; it would not belong to this one
    }
  }
  return ok_status();
}

}  // namespace tfpm::cli
