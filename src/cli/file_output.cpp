#include "cli/file_output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace tfpm::cli {

Status output_error(const std::string& what, const std::string& path, int code) {
  const bool full = code == ENOSPC || code == EDQUOT || code == EFBIG;
  return error(ErrorKind::kIo, what, path, std::strerror(code),
               full ? "free space there, or write to another place"
                    : "make the place writable, or write to another one");
}

Status flush_to_disk(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return output_error("cannot open the output", path, errno);
  const int code = ::fsync(fd) == 0 ? 0 : errno;
  ::close(fd);
  // Some file systems do not support it on folders.
  return code == 0 || code == EINVAL ? ok_status() : output_error("cannot write", path, code);
}

Status move_file(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) == 0) return ok_status();
  return output_error("cannot move the output into place", to, errno);
}

Status write_file(const std::string& path, std::string_view text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return output_error("cannot create", path, errno);
  int code = 0;
  while (!text.empty() && code == 0) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno != EINTR) code = errno;
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
  }
  // A pipe or a device has nothing to flush.
  if (code == 0 && ::fsync(fd) != 0 && errno != EINVAL) code = errno;
  if (::close(fd) != 0 && code == 0) code = errno;
  return code == 0 ? ok_status() : output_error("cannot write", path, code);
}

Status replace_file(const std::string& path, std::string_view text) {
  const std::string temporary = path + ".partial";
  Status status = write_file(temporary, text);
  if (status.ok()) status = move_file(temporary, path);
  if (!status.ok()) ::unlink(temporary.c_str());
  return status;
}

Status write_output(const std::string& path, std::string_view text) {
  struct stat info {};
  const bool there = ::lstat(path.c_str(), &info) == 0;
  return there && !S_ISREG(info.st_mode) ? write_file(path, text) : replace_file(path, text);
}

}  // namespace tfpm::cli
