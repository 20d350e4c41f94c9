#include "bundle/file_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace tfpm {

Result<std::unique_ptr<FileSource>> FileSource::open(const std::string& path,
                                                     std::atomic<std::uint64_t>* position) {
  // O_NONBLOCK: a FIFO that took a file's place must not hang us.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    return error(ErrorKind::kUnreadable, "cannot open file", path, std::strerror(errno));
  }
  struct stat info {};
  if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(fd);
    return error(ErrorKind::kUnreadable, "cannot read file", path, "not a regular file");
  }
  ::posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
  return std::make_unique<FileSource>(fd, path, static_cast<std::uint64_t>(info.st_size), position);
}

FileSource::FileSource(int fd, std::string path, std::uint64_t size,
                       std::atomic<std::uint64_t>* position)
    : fd_(fd), path_(std::move(path)), size_(size), progress_(position) {
  if (progress_ != nullptr) progress_base_ = progress_->load(std::memory_order_relaxed);
}

FileSource::~FileSource() {
  ::close(fd_);
}

void FileSource::moved_to(std::uint64_t offset) {
  offset_ = offset;
  if (progress_ != nullptr) progress_->store(progress_base_ + offset, std::memory_order_relaxed);
}

Result<std::size_t> FileSource::read(std::span<char> out) {
  if (done_ || out.empty()) return std::size_t{0};
  ssize_t n = 0;
  do {
    n = ::read(fd_, out.data(), out.size());
  } while (n < 0 && errno == EINTR);
  if (n < 0) {
    done_ = true;
    return error(ErrorKind::kUnreadable, "reading failed at byte " + std::to_string(offset_), path_,
                 std::strerror(errno));
  }
  done_ = n == 0;
  moved_to(offset_ + static_cast<std::uint64_t>(n));
  return static_cast<std::size_t>(n);
}

Status FileSource::seek(std::uint64_t offset) {
  const std::uint64_t target = std::min(offset, size_);
  if (::lseek(fd_, static_cast<off_t>(target), SEEK_SET) < 0) {
    return error(ErrorKind::kUnreadable, "cannot seek", path_, std::strerror(errno));
  }
  done_ = false;
  moved_to(target);
  return ok_status();
}

}  // namespace tfpm
