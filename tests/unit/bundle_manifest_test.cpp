#include <catch2/catch.hpp>

#include "bundle/bundle.h"
#include "bundle/manifest_tap.h"
#include "bundle_support.h"

namespace tfpm {
namespace {

std::string complaint(std::string_view json) {
  const Result<Manifest> m = parse_manifest(json, "bundle.json");
  REQUIRE_FALSE(m.ok());
  const Status status = m.status();
  return status.diagnostic().where + " " + status.diagnostic().why;
}

}  // namespace

TEST_CASE("a full manifest is read") {
  const std::string text = R"json({"job": "mnist", "tasks": [
    {"task": "worker-3", "host": "gpu-17", "attempt": 0, "paths": ["w3/*.log"],
     "clock": {"utc_offset_s": -3.5}}, {"task": "chief-0"}],
    "framework": {"tensorflow": "2.15.0"},
    "markers": [{"re": "pass (?P<step>\\d+)", "edge": "end"}], "notes": null})json";
  const Result<Manifest> m = parse_manifest(text, "bundle.json");
  REQUIRE(m.ok());
  CHECK(m->job == "mnist");
  REQUIRE(m->tasks.size() == 2);
  CHECK(m->tasks[0].attempt == 0);
  CHECK(m->tasks[0].utc_offset_s == -3.5);
  CHECK(m->tasks[0].paths == std::vector<std::string>{"w3/*.log"});
  CHECK_FALSE(m->tasks[1].attempt.has_value());
  CHECK(m->framework[0].second == "2.15.0");
  CHECK(m->markers[0].edge == "end");
  CHECK(parse_manifest("{}", "bundle.json").ok());
}

TEST_CASE("what is wrong in a manifest has a place") {
  CHECK(complaint("{\n  \"jobs\": 1}") == "bundle.json:2:3 unknown key 'jobs'");
  CHECK(complaint("{\"tasks\": [{}, {\n \"attempt\": -1}]}") ==
        "bundle.json:2:2 'attempt' must be a whole number from 0");
  CHECK(complaint("{\"tasks\": [\n {}, 3]}").starts_with("bundle.json:1:2 expected an object"));
  CHECK(complaint("{\"job\": 3}") == "bundle.json:1:2 'job' must be a string");
  CHECK(complaint("{\"job\": ").starts_with("bundle.json:1:"));
  CHECK(complaint("").starts_with("bundle.json:1:1"));
  CHECK(complaint(std::string(100'000, '[')).starts_with("bundle.json:1:"));
}

TEST_CASE("globs: stars stay in a component, two of them do not") {
  CHECK(glob_matches("w3/*.log", "w3/a.log"));
  CHECK_FALSE(glob_matches("w3/*.log", "w3/x/a.log"));
  CHECK(glob_matches("**/a.log", "a.log"));
  CHECK(glob_matches("**/a.log", "x/y/a.log"));
  CHECK_FALSE(glob_matches("**/a.log", "xa.log"));
  CHECK(glob_matches("w3/**", "w3/x/y"));
  CHECK(glob_matches("a/**/b", "a/b"));
  CHECK(glob_matches("a/**/b", "a/x/y/b"));
  CHECK_FALSE(glob_matches("a/**/b", "a/xb"));
  CHECK(glob_matches("worker-?.log", "worker-3.log"));
  CHECK_FALSE(glob_matches("worker-?.log", "worker-/.log"));
  CHECK_FALSE(glob_matches("worker-?", "worker-"));
  CHECK_FALSE(glob_matches("", "x"));
  CHECK(glob_matches("*", ""));
  CHECK_FALSE(glob_matches(std::string(200, '*') + "b", std::string(5000, 'a')));
}

TEST_CASE("a clock that is off by more than there is time is no clock") {
  CHECK(complaint(R"({"tasks": [{"clock": {"utc_offset_s": 1e300}}]})").find("seconds") !=
        std::string::npos);
}

TEST_CASE("a glob of nothing but stars neither recurses nor takes for ever") {
  CHECK(glob_matches(std::string(1'000'001, '*'), "a"));
  const std::string json = R"({"tasks": [{"paths": [")" + std::string(5000, '*') + "\"]}]}";
  CHECK(complaint(json).find("shorter than 4096") != std::string::npos);
}

TEST_CASE("a large or cut bundle.json of another program does not stop the reading") {
  for (const bool cut : {false, true}) {
    const test::TempDir dir;
    const std::string large = "{\"job\": \"" + std::string(3 << 20, 'x') + "\"}";
    std::string gz = test::compress(large, "gzip");
    if (cut) gz.resize(gz.size() / 2);
    dir.write("job/bundle.json", cut ? gz : large);
    dir.write("job/worker-0.log", "step 1\n");
    Result<std::unique_ptr<Bundle>> bundle = Bundle::open({dir.path("job")});
    REQUIRE(bundle.ok());
    ManifestTap tap(**bundle);
    std::size_t bytes = 0;
    const auto visit = [&](Member& member) {
      std::vector<char> buffer(1 << 16);
      for (bool more = member.content != nullptr; more;) {
        const Result<std::size_t> n = member.content->read(buffer);
        more = n.ok() && *n > 0;
        if (more && member.path == "bundle.json") bytes += *n;
      }
      return ok_status();
    };
    CHECK(tap.for_each(visit, {}).ok());
    if (!cut) CHECK(bytes == large.size());
    CHECK(tap.manifest().job.empty());
  }
}

TEST_CASE("a broken manifest is found before what lies behind it is read") {
  const test::TempDir dir;
  dir.write("job/bundle.json", R"({"tasks": 1})");
  dir.write("job/worker-0.log", "step 1\n");
  Result<std::unique_ptr<Bundle>> bundle = Bundle::open({dir.path("job")});
  REQUIRE(bundle.ok());
  ManifestTap tap(**bundle);
  std::size_t visited = 0;
  const auto visit = [&](Member&) {
    ++visited;
    return ok_status();
  };
  CHECK_FALSE(tap.for_each(visit, {}).ok());
  CHECK(visited == 0);
}

}  // namespace tfpm
