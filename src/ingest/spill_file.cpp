#include "ingest/spill_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace tfpm {
namespace {

Status failed(const char* what, const std::string& folder, int code) {
  const bool full = code == ENOSPC || code == EDQUOT || code == EFBIG;
  return error(ErrorKind::kIo, what, folder, std::strerror(code),
               full ? "free some space there, or write the output to another disk" : "");
}

}  // namespace

SpillFile::~SpillFile() {
  if (fd_ >= 0) ::close(fd_);
}

Status SpillFile::open() {
  if (fd_ >= 0) return ok_status();
  fd_ = ::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd_ >= 0) return ok_status();
  // Not every file system has files without names.
  std::string name = folder_ + "/.tfpm-rows-XXXXXX";
  fd_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (fd_ < 0) return failed("cannot make a temporary file", folder_, errno);
  ::unlink(name.c_str());
  return ok_status();
}

Result<SpillFile::Extent> SpillFile::write(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  const Status opened = open();
  if (!opened.ok()) return opened;
  const Extent extent{end_, bytes.size()};
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(end_));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return failed("cannot write to a temporary file", folder_, n < 0 ? errno : EIO);
    bytes.remove_prefix(static_cast<std::size_t>(n));
    end_ += static_cast<std::uint64_t>(n);
  }
  return extent;
}

Result<std::string> SpillFile::read(const Extent& extent) const {
  std::string bytes(extent.size, '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::pread(fd_, bytes.data() + done, bytes.size() - done,
                              static_cast<off_t>(extent.offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return failed("cannot read a temporary file", folder_, n < 0 ? errno : EIO);
    done += static_cast<std::size_t>(n);
  }
  return bytes;
}

}  // namespace tfpm
