// Waiting rows go to a temporary file; its disk may be full.
#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <string>

#include "ingest/row_buffer.h"

namespace tfpm {
namespace {

// Files of this process may not grow beyond `bytes`, as on a full disk, while this lives.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &before_) == 0);
    const rlimit limited{bytes, before_.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &limited) == 0);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

std::size_t count_rows(const RowBuffer& buffer) {
  std::size_t rows = 0;
  const Status status = buffer.for_each([&](Row&) {
    ++rows;
    return ok_status();
  });
  REQUIRE(status.ok());
  return rows;
}

}  // namespace

TEST_CASE("a disk that fills up while rows wait is an error that helps, and loses no row") {
  RowBuffer buffer;
  for (int i = 0; i < 1000; ++i) buffer.add("event", {{"text", text_value(std::string(100, 'x'))}});
  SpillFile file("/tmp");
  {
    const FileSizeLimit limit(10'000);
    const Status status = buffer.spill(file);
    REQUIRE_FALSE(status.ok());
    CHECK(status.diagnostic().kind == ErrorKind::kIo);
    CHECK(status.diagnostic().where == "/tmp");
    CHECK(status.diagnostic().help.find("free some space") != std::string::npos);
  }
  CHECK(count_rows(buffer) == 1000);
  // Space was made: the rest of the file is of no harm.
  REQUIRE(buffer.spill(file).ok());
  CHECK(buffer.bytes() == 0);
  CHECK(count_rows(buffer) == 1000);
}

TEST_CASE("a folder that takes no files is an error, too") {
  SpillFile file("/proc/no-such-folder");
  CHECK_FALSE(file.write("x").ok());
}

}  // namespace tfpm
