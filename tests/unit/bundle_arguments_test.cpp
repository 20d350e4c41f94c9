#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "bundle_support.h"

namespace tfpm::test {
namespace {

std::string open_error(const std::vector<std::string>& paths, ErrorKind kind) {
  const Result<std::unique_ptr<Bundle>> bundle = Bundle::open(paths);
  REQUIRE_FALSE(bundle.ok());
  CHECK(bundle.status().diagnostic().kind == kind);
  return bundle.status().diagnostic().to_string();
}

std::string name_of(const std::vector<std::string>& paths) {
  return Bundle::open(paths).value()->name();
}

}  // namespace

TEST_CASE("paths that cannot be a bundle say why") {
  TempDir dir;
  CHECK(open_error({dir.path("nowhere")}, ErrorKind::kNotFound).find("No such file") !=
        std::string::npos);
  std::filesystem::create_directories(dir.path("empty/sub"));
  open_error({dir.path("empty")}, ErrorKind::kUnreadable);
  open_error({dir.write("zero.log", "")}, ErrorKind::kUnreadable);
  open_error({dir.write("none.tar", pack({{"d/", "", "", "", true}}, "tar", ""))},
             ErrorKind::kUnreadable);
  open_error({dir.write("none.zip", pack({}, "zip", ""))}, ErrorKind::kUnreadable);
  const std::string log = dir.write("a.log", "x");
  open_error({log, dir.path("./a.log")}, ErrorKind::kUsage);
  REQUIRE(::mkfifo(dir.path("fifo").c_str(), 0600) == 0);
  open_error({dir.path("fifo")}, ErrorKind::kUnreadable);
}

TEST_CASE("a directory is walked in path order; links and special files are listed") {
  TempDir dir;
  dir.write("d/b/x.log", "1");
  dir.write("d/b.log", "2");
  dir.write("d/a", "3");
  REQUIRE(::symlink("b/x.log", dir.path("d/inside").c_str()) == 0);
  REQUIRE(::symlink("/etc", dir.path("d/outside").c_str()) == 0);
  REQUIRE(::symlink(".", dir.path("d/loop").c_str()) == 0);
  REQUIRE(::mkfifo(dir.path("d/pipe").c_str(), 0600) == 0);
  const Walked w = walk({dir.path("d")});
  CHECK(w.order ==
        std::vector<std::string>{"a", "b.log", "b/x.log", "inside", "loop", "outside", "pipe"});
  CHECK(w.unread.size() == 4);
  CHECK(w.unread.at("outside") == "symbolic link to /etc: not followed");
  CHECK(w.problems.empty());
}

TEST_CASE("files without permission are listed as lost") {
  if (::geteuid() == 0) return;  // root may read everything
  TempDir dir;
  dir.write("d/ok.log", "1");
  ::chmod(dir.write("d/secret.log", "2").c_str(), 0);
  dir.write("d/closed/x.log", "3");
  ::chmod(dir.path("d/closed").c_str(), 0);
  const Walked w = walk({dir.path("d")});
  ::chmod(dir.path("d/closed").c_str(), 0700);
  CHECK(w.unread.size() == 2);
  CHECK(w.has_problem("member-unreadable"));
  CHECK(w.content.at("ok.log") == "1");
}

TEST_CASE("several arguments: files by name, others below theirs") {
  TempDir dir;
  dir.write("x/worker.log", "1");
  dir.write("y/worker.log", "2");
  dir.write("dir/l/a.log", "3");
  dir.write("host-b.tar.gz", pack({{"run/b.log", "4"}}, "tar", "gzip"));
  const std::vector<std::string> paths = {dir.path("y/worker.log"), dir.path("host-b.tar.gz"),
                                          dir.path("x/worker.log"), dir.path("dir/")};
  const Walked w = walk(paths);
  CHECK(w.content == std::map<std::string, std::string>{{"dir/l/a.log", "3"},
                                                        {"host-b/b.log", "4"},
                                                        {"x/worker.log", "1"},
                                                        {"y/worker.log", "2"}});
  CHECK(w.order == walk({paths[3], paths[2], paths[1], paths[0]}).order);
  CHECK(name_of(paths) == "dir+3");
}

TEST_CASE("a folder and its archive side by side stay apart") {
  TempDir dir;
  dir.write("run/a.log", "1");
  dir.write("run.tar", pack({{"a.log", "2"}}, "tar", ""));
  CHECK(walk({dir.path("run"), dir.path("run.tar")}).content.size() == 2);
}

TEST_CASE("a bundle is named after its path") {
  TempDir dir;
  dir.write("run 7/a.log", "1");
  CHECK(name_of({dir.path("run 7//")}) == "run 7");
  CHECK(name_of({dir.path("run 7/.")}) == "run 7");
  CHECK(name_of({dir.write("j.tar.zst", pack({{"a", "1"}}, "tar", "zstd"))}) == "j");
  CHECK(name_of({dir.write("j.tgz", pack({{"a", "1"}}, "tar", "gzip"))}) == "j");
  CHECK(name_of({dir.write("w.log.gz", compress("a", "gzip"))}) == "w.log");
}

TEST_CASE("progress counts stored bytes and reaches the total") {
  TempDir dir;
  dir.write("d/a.log.gz", compress(std::string(50'000, 'x'), "gzip"));
  dir.write("d/b.log", "12345");
  Result<std::unique_ptr<Bundle>> bundle = Bundle::open({dir.path("d")});
  REQUIRE(bundle.ok());
  for (int round = 0; round < 2; ++round) {
    walk(**bundle);
    const BundleProgress done = (*bundle)->progress();
    CHECK(done.bytes_done == done.bytes_total);
    CHECK(done.bytes_total > 5);
    CHECK(done.members_done == 2);
  }
}

TEST_CASE("a visitor's error ends the walk") {
  TempDir dir;
  dir.write("d/a", "1");
  dir.write("d/b", "2");
  Result<std::unique_ptr<Bundle>> bundle = Bundle::open({dir.path("d")});
  int visits = 0;
  const Status status = (*bundle)->for_each(
      [&](Member&) {
        ++visits;
        return error(ErrorKind::kIo, "full");
      },
      {});
  CHECK_FALSE(status.ok());
  CHECK(visits == 1);
}

}  // namespace tfpm::test
