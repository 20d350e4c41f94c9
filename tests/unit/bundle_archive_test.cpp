#include <catch2/catch.hpp>

#include "bundle_support.h"

namespace tfpm::test {
namespace {

const std::vector<std::pair<std::string, std::string>> kPackings = {
    {"tar", ""},   {"tar", "gzip"},  {"tar", "zstd"}, {"tar", "xz"},
    {"pax", "xz"}, {"tar", "bzip2"}, {"zip", ""},
};

std::string log_text() {
  std::string text;
  for (int i = 0; i < 400; ++i) text += "step " + std::to_string(i) + " loss 0.5\n";
  return text;
}

}  // namespace

TEST_CASE("every packing of a folder gives the folder's own paths and bytes") {
  TempDir dir;
  const std::string text = log_text();
  dir.write("d/logs/worker-0.log", text);
  dir.write("d/logs/worker-1.log", "");
  dir.write("d/tf_config.json", "{}");
  const Walked plain = walk({dir.path("d")});
  REQUIRE(plain.order ==
          std::vector<std::string>{"logs/worker-0.log", "logs/worker-1.log", "tf_config.json"});
  for (const auto& [format, filter] : kPackings) {
    for (const std::string root : {"", "run7/", "./", "./run7/"}) {
      CAPTURE(format, filter, root);
      const std::string bytes = pack({{root + "logs/worker-0.log", text},
                                      {root + "logs/worker-1.log", ""},
                                      {root + "tf_config.json", "{}"}},
                                     format, filter);
      const Walked packed = walk({dir.write("x." + format + "." + filter, bytes)});
      // './run7/' is a folder that holds one folder: only the outer one goes.
      const std::string left = root == "./run7/" ? "run7/" : "";
      CHECK(packed.content.at(left + "logs/worker-0.log") == text);
      CHECK(packed.content.at(left + "logs/worker-1.log").empty());
      CHECK(packed.content.at(left + "tf_config.json") == "{}");
      CHECK(packed.order.size() == 3);
      CHECK(packed.problems.empty());
    }
  }
}

TEST_CASE("a root folder stays when a second one appears late") {
  TempDir dir;
  const std::vector<PackEntry> entries = {
      {"w0/a.log", log_text()}, {"w0/b.log", log_text()}, {"w1/a.log", "x"}};
  for (const auto& [format, filter] : kPackings) {
    CAPTURE(format, filter);
    const Walked packed = walk({dir.write("x", pack(entries, format, filter))});
    CHECK(packed.order == std::vector<std::string>{"w0/a.log", "w0/b.log", "w1/a.log"});
  }
}

TEST_CASE("a file beside the root folder keeps the folder") {
  TempDir dir;
  const Walked packed =
      walk({dir.write("x.tar", pack({{"w0/a.log", "1"}, {"b", "2"}}, "tar", ""))});
  CHECK(packed.order == std::vector<std::string>{"w0/a.log", "b"});
}

TEST_CASE("nested archives are walked in place, their single root dropped") {
  TempDir dir;
  const std::string inner = pack({{"run7/a.log", "A"}, {"run7/b/c.log", "C"}}, "tar", "gzip");
  const std::string zip = pack({{"w0/a", "1"}, {"w1/a", "2"}}, "zip", "");
  const std::string outer = pack({{"in.tgz", inner}, {"z/x.zip", zip}, {"t", "T"}}, "tar", "zstd");
  const Walked w = walk({dir.write("o.tar.zst", outer)});
  CHECK(w.order == std::vector<std::string>{"in.tgz/", "in.tgz/a.log", "in.tgz/b/c.log", "z/x.zip/",
                                            "z/x.zip/w0/a", "z/x.zip/w1/a", "t"});
  CHECK(w.members.at("in.tgz/a.log").parent == "in.tgz");
  CHECK(w.members.at("t").parent.empty());
  CHECK(w.content.at("in.tgz/b/c.log") == "C");
  CHECK(w.problems.empty());

  dir.write("d/in.tgz", inner);
  dir.write("d/z/x.zip", zip);
  dir.write("d/t", "T");
  CHECK(walk({dir.path("d")}).content == w.content);
}

TEST_CASE("a nested archive too large to look ahead keeps its paths") {
  TempDir dir;
  const std::string inner = pack({{"run7/a.log", log_text()}}, "tar", "");
  BundleLimits limits;
  limits.look_ahead = 2048;
  const Walked w = walk({dir.write("o.tar", pack({{"in.tar", inner}}, "tar", ""))}, limits);
  CHECK(w.order == std::vector<std::string>{"in.tar/", "in.tar/run7/a.log"});
  CHECK(w.content.at("in.tar/run7/a.log") == log_text());
}

TEST_CASE("hostile names, links and duplicates are refused or listed, never followed") {
  TempDir dir;
  const std::string bytes = pack({{"ok", "1"},
                                  {"/etc/passwd", "2"},
                                  {"a/../../b", "3"},
                                  {"ok", "4"},
                                  {"link", "", "/etc/passwd"},
                                  {"hard", "", "", "ok"},
                                  {"C:/x", "5"},
                                  {"bell\x07\xff", "6"}},
                                 "pax", "");
  const Walked w = walk({dir.write("x.tar", bytes)});
  CHECK(w.content == std::map<std::string, std::string>{{"ok", "1"}, {"bell\\x07\\xff", "6"}});
  CHECK(w.unread.count("link") == 1);
  CHECK(w.unread.count("hard") == 1);
  CHECK(w.has_problem("archive-duplicate-path"));
  CHECK(std::count_if(w.problems.begin(), w.problems.end(), [](const BundleProblem& p) {
          return p.code == "archive-unsafe-path" && p.data_loss;
        }) == 3);
}

TEST_CASE("limits end an archive with a problem, not the walk") {
  TempDir dir;
  BundleLimits limits;
  limits.archive_members = 2;
  const std::vector<PackEntry> three = {{"a", "1"}, {"b", "2"}, {"c", "3"}};
  dir.write("d/three.tar", pack(three, "tar", ""));
  dir.write("d/z.log", "after");
  Walked w = walk({dir.path("d")}, limits);
  CHECK(w.order == std::vector<std::string>{"three.tar/", "three.tar/a", "three.tar/b", "z.log"});
  CHECK(w.has_problem("archive-limit"));

  limits = {};
  limits.depth = 1;
  const std::string two_deep = pack({{"in.tar", pack(three, "tar", "")}, {"x", "X"}}, "tar", "");
  dir.write("e/two.tar", two_deep);
  w = walk({dir.path("e")}, limits);
  CHECK(w.unread.count("two.tar/in.tar") == 1);
  CHECK(w.content.at("two.tar/x") == "X");

  limits = {};
  limits.decoded_base = 100'000;
  limits.decoded_ratio = 2;
  const std::string bomb = compress(std::string(10'000'000, '\0'), "zstd");
  dir.write("f/bomb.zst", bomb);
  dir.write("f/fine.log", "fine");
  w = walk({dir.path("f")}, limits);
  CHECK(w.failed.count("bomb.zst") == 1);
  CHECK(w.content.at("bomb.zst").size() <= 100'000 + 2 * bomb.size() + 8);
  CHECK(w.content.at("fine.log") == "fine");
}

TEST_CASE("documents in zip clothing stay one member") {
  TempDir dir;
  dir.write("d/weights.npz", pack({{"a.npy", "1"}}, "zip", ""));
  dir.write("d/model.keras", pack({{"config.json", "{}"}}, "zip", ""));
  CHECK(walk({dir.path("d")}).order == std::vector<std::string>{"model.keras", "weights.npz"});
}

}  // namespace tfpm::test
