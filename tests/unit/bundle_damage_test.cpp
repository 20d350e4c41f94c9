#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "bundle/file_source.h"
#include "bundle_support.h"

namespace tfpm::test {
namespace {

// Text that does not shrink to nothing, so that cuts fall into data.
std::string noise(std::size_t size) {
  std::string out;
  std::uint32_t state = 12345;
  while (out.size() < size) {
    state = state * 1664525 + 1013904223;
    out += static_cast<char>('a' + (state >> 24) % 26);
    if (out.size() % 60 == 59) out += '\n';
  }
  return out;
}

bool is_prefix(const std::string& prefix, const std::string& whole) {
  return whole.compare(0, prefix.size(), prefix) == 0;
}

}  // namespace

TEST_CASE("an archive cut at any byte gives what came before and a problem") {
  TempDir dir;
  const std::map<std::string, std::string> files = {
      {"a.log", noise(700)}, {"b.log", noise(300)}, {"sub/c.log", noise(900)}};
  std::vector<PackEntry> entries;
  for (const auto& [path, bytes] : files) entries.push_back({"run/" + path, bytes});
  for (const auto& [format, filter] : std::vector<std::pair<std::string, std::string>>{
           {"tar", ""}, {"tar", "gzip"}, {"tar", "zstd"}, {"tar", "xz"}, {"zip", ""}}) {
    const std::string whole = pack(entries, format, filter);
    // The end of a zip is an index of what was read already; a tar's end is zeros.
    for (std::size_t cut = 1; cut < whole.size(); ++cut) {
      CAPTURE(format, filter, cut);
      const std::string path = dir.write("cut", whole.substr(0, cut));
      Result<std::unique_ptr<Bundle>> bundle = Bundle::open({path});
      if (!bundle.ok()) {
        CHECK(bundle.status().diagnostic().kind == ErrorKind::kDamaged);
        continue;
      }
      const Walked w = walk(**bundle);
      for (const auto& [name, bytes] : w.content) {
        if (name == "cut") continue;  // too short to be known as an archive
        REQUIRE(files.count(name) == 1);
        REQUIRE(is_prefix(bytes, files.at(name)));
        if (w.failed.count(name) == 0) REQUIRE(bytes == files.at(name));
      }
      const bool complete = w.content == files && w.failed.empty();
      if (w.content.count("cut") == 0 && !complete) REQUIRE_FALSE(w.problems.empty());
      for (const BundleProblem& p : w.problems) REQUIRE(p.data_loss);
    }
  }
}

TEST_CASE("a compressed member cut at any byte keeps its prefix and says so") {
  TempDir dir;
  const std::string text = noise(2000);
  for (const auto& [filter, suffix] : std::map<std::string, std::string>{
           {"gzip", "gz"}, {"zstd", "zst"}, {"xz", "xz"}, {"bzip2", "bz2"}}) {
    const std::string whole = compress(text, filter);
    for (std::size_t cut = 16; cut < whole.size(); ++cut) {
      CAPTURE(filter, cut);
      const Walked w = walk({dir.write("w.log." + suffix, whole.substr(0, cut))});
      REQUIRE(w.content.size() == 1);
      REQUIRE(w.failed.size() == 1);
      REQUIRE(is_prefix(w.content.begin()->second, text));
    }
  }
}

TEST_CASE("gzip keeps nearly all of what was written before the cut") {
  TempDir dir;
  const std::string text = noise(200'000);
  const std::string whole = compress(text, "gzip");
  const Walked w = walk({dir.write("w.log.gz", whole.substr(0, whole.size() - 20))});
  CHECK(w.content.at("w.log.gz").size() > 190'000);
}

TEST_CASE("gzip members in a row, padding and foreign bytes behind them") {
  TempDir dir;
  const std::string one = compress("one\n", "gzip");
  const std::string two = compress("two\n", "gzip");
  Walked w = walk({dir.write("a.gz", one + two)});
  CHECK(w.content.at("a.gz") == "one\ntwo\n");
  CHECK(w.failed.empty());
  w = walk({dir.write("b.gz", one + std::string(600, '\0'))});
  CHECK(w.content.at("b.gz") == "one\n");
  CHECK(w.failed.empty());
  w = walk({dir.write("c.gz", one + "garbage")});
  CHECK(w.content.at("c.gz") == "one\n");
  CHECK(w.failed.count("c.gz") == 1);
  std::string wrong = compress(noise(500), "gzip");
  wrong[wrong.size() - 6] = static_cast<char>(wrong[wrong.size() - 6] ^ 1);
  w = walk({dir.write("d.gz", wrong)});
  CHECK(w.failed.count("d.gz") == 1);
}

TEST_CASE("zstd frames in a row are one stream") {
  TempDir dir;
  const Walked w =
      walk({dir.write("a.zst", compress("one\n", "zstd") + compress("two\n", "zstd"))});
  CHECK(w.content.at("a.zst") == "one\ntwo\n");
  CHECK(w.failed.empty());
}

TEST_CASE("bytes that merely begin like a compressed file stay as they are") {
  TempDir dir;
  const std::string tensor = std::string("\x1f\x8b\x08\x00", 4) + noise(100);
  dir.write("d/ckpt-1.data-00000-of-00001", tensor);
  const Walked w = walk({dir.path("d")});
  CHECK(w.content.at("ckpt-1.data-00000-of-00001") == tensor);
  CHECK(w.failed.empty());
}

TEST_CASE("a compressed member keeps its name; sniffing sees the inner one") {
  TempDir dir;
  dir.write("d/w.log.1.zst", compress("x\n", "zstd"));
  dir.write("d/nameless", compress("y\n", "gzip"));
  const Walked w = walk({dir.path("d")});
  CHECK(w.members.at("w.log.1.zst").inner_name == "w.log.1");
  CHECK_FALSE(w.members.at("w.log.1.zst").size.has_value());
  CHECK(w.content.at("nameless") == "y\n");
}

TEST_CASE("an error of the medium is reported once, then the source ends") {
  // Reading a directory fails with EISDIR: a stand-in for a bad disk.
  const int fd = ::open(".", O_RDONLY | O_DIRECTORY);
  REQUIRE(fd >= 0);
  FileSource source(fd, "disk.log", 100, nullptr);
  char byte = 0;
  const Result<std::size_t> n = source.read(std::span(&byte, 1));
  REQUIRE_FALSE(n.ok());
  CHECK(n.status().diagnostic().what == "reading failed at byte 0");
  CHECK(source.read(std::span(&byte, 1)).value() == 0);
}

}  // namespace tfpm::test
