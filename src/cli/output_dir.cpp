#include "cli/output_dir.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace tfpm::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".partial-XXXXXX";

Status io_error(const std::string& what, const std::string& path, int code) {
  return error(ErrorKind::kIo, what, path, std::strerror(code),
               code == ENOSPC || code == EDQUOT || code == EFBIG
                   ? "free space there, or choose another place with -o"
                   : "choose a writable place with -o");
}

// 'a/b/' -> 'a/b': the temporary folder lies beside, not inside.
std::string without_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

Status flush_to_disk(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return io_error("cannot open the output", path, errno);
  const int code = ::fsync(fd) == 0 ? 0 : errno;
  ::close(fd);
  // Some file systems do not support it on folders.
  return code == 0 || code == EINVAL ? ok_status() : io_error("cannot write", path, code);
}

Status move(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) == 0) return ok_status();
  return io_error("cannot move the output into place", to, errno);
}

}  // namespace

Status OutputDir::check(const std::string& target, bool force) {
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(without_slashes(target), ignored);
  if (!fs::exists(status)) return ok_status();
  if (!force) {
    return error(ErrorKind::kExists, "the output exists", target, {},
                 "give another place with -o, or --force to replace it");
  }
  if (fs::is_directory(target, ignored)) return ok_status();
  return error(ErrorKind::kExists, "the output is not a directory", target, {},
               "give another place with -o");
}

Result<OutputDir> OutputDir::create(const std::string& target, bool force) {
  TFPM_RETURN_IF_ERROR(check(target, force));
  const std::string final_path = without_slashes(target);
  std::error_code ignored;
  const bool exists = fs::is_directory(final_path, ignored);
  // Inside an existing directory: its parent may not be writable.
  std::string temporary = (exists ? final_path + "/tfpm" : final_path) + std::string(kSuffix);
  if (::mkdtemp(temporary.data()) == nullptr) {
    return io_error("cannot create the output directory", final_path, errno);
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

Status OutputDir::write(const std::string& name, std::string_view text) const {
  const std::string to = path(name);
  const int fd = ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return io_error("cannot create", to, errno);
  int code = 0;
  while (!text.empty() && code == 0) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno != EINTR) code = errno;
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
  }
  if (code == 0 && ::fsync(fd) != 0) code = errno;
  if (::close(fd) != 0 && code == 0) code = errno;
  return code == 0 ? ok_status() : io_error("cannot write", name, code);
}

Status OutputDir::commit(const std::vector<std::string>& names) {
  TFPM_RETURN_IF_ERROR(flush_to_disk(temporary_));
  if (!exists_) return move(temporary_, target_);
  std::error_code ignored;
  for (const std::string& name : names) {
    const std::string to = target_ + "/" + name;
    if (fs::exists(path(name), ignored)) {
      TFPM_RETURN_IF_ERROR(move(path(name), to));
    } else {
      fs::remove(to, ignored);  // of an earlier run; it would not belong to this one
    }
  }
  return ok_status();
}

}  // namespace tfpm::cli
