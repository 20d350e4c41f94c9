#include "ingest/file_stream.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace tfpm {
namespace {

class FileStream final : public ByteStream {
 public:
  FileStream(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  ~FileStream() override { ::close(fd_); }
  FileStream(const FileStream&) = delete;
  FileStream& operator=(const FileStream&) = delete;

  Result<std::size_t> read(std::span<char> out) override {
    if (ended_) return std::size_t{0};
    for (;;) {
      const ssize_t got = ::read(fd_, out.data(), out.size());
      if (got > 0) return static_cast<std::size_t>(got);
      if (got < 0 && errno == EINTR) continue;
      ended_ = true;
      if (got == 0) return std::size_t{0};
      return error(ErrorKind::kUnreadable, "cannot read on", path_, std::strerror(errno));
    }
  }

 private:
  int fd_;
  std::string path_;
  bool ended_ = false;
};

}  // namespace

Result<std::unique_ptr<ByteStream>> open_file_stream(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return error(ErrorKind::kUnreadable, "cannot open", path, std::strerror(errno));
  // Advice only: a failure changes nothing.
  (void)::posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
  return std::unique_ptr<ByteStream>(std::make_unique<FileStream>(fd, path));
}

}  // namespace tfpm
