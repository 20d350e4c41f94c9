// verify-checkpoint on real files: what a path means, what is printed, which checkpoint is the last
// good one.
#include "ingest/checkpoint_verify.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/checkpoint_files.h"

namespace tfpm {
namespace {

namespace fs = std::filesystem;
using namespace test;
using Catch::Matchers::Contains;

// A directory of its own with files in it, removed at the end.
class TempTree {
 public:
  explicit TempTree(const Files& files) {
    std::string pattern = (fs::temp_directory_path() / "tfpm-verify-XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    root_ = pattern;
    for (const auto& [path, bytes] : files) {
      fs::create_directories((root_ / path).parent_path());
      std::ofstream(root_ / path, std::ios::binary) << bytes;
    }
  }
  ~TempTree() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  TempTree(const TempTree&) = delete;
  TempTree& operator=(const TempTree&) = delete;

  std::string operator/(const std::string& path) const { return (root_ / path).string(); }

 private:
  fs::path root_;
};

BundleWriter at_step(std::int64_t step) {
  BundleWriter out;
  out.add_scalar("step", step);
  out.add_floats("w", {1, 2, 3});
  return out;
}

Files three_checkpoints() {
  Files files;
  add_bundle(files, "ckpt/ckpt-4", at_step(4));
  add_bundle(files, "ckpt/ckpt-40", at_step(40));
  add_bundle(files, "workertemp_1/ckpt-40", at_step(40));
  files["ckpt/checkpoint"] = "model_checkpoint_path: \"ckpt-40\"\n";
  files["ckpt/notes.txt"] = "nothing to see\n";
  return files;
}

CheckpointVerification verify(const std::string& path, unsigned threads = 1) {
  CheckpointVerifyOptions options;
  options.threads = threads;
  Result<CheckpointVerification> out = verify_checkpoints(path, options);
  REQUIRE(out.ok());
  return std::move(*out);
}

}  // namespace

TEST_CASE("a path may be a tree, a state file, a prefix or one of the files") {
  const TempTree tree(three_checkpoints());
  CHECK(verify(tree / "").items.size() == 3);
  CHECK(verify(tree / "ckpt/checkpoint").items.size() == 2);
  for (const std::string path :
       {"ckpt/ckpt-4", "ckpt/ckpt-4.index", "ckpt/ckpt-4.data-00000-of-00001"}) {
    const CheckpointVerification found = verify(tree / path);
    REQUIRE(found.items.size() == 1);
    CHECK(found.items[0].prefix == tree / "ckpt/ckpt-4");
    CHECK(found.all_usable);
  }
}

TEST_CASE("a path without a checkpoint is an error with advice") {
  const TempTree tree(Files{{"a/notes.txt", "text"}});
  for (const std::string path : {"a", "a/ckpt-1", "a/notes.txt"}) {
    const auto found = verify_checkpoints(tree / path, {});
    REQUIRE_FALSE(found.ok());
    CHECK(found.status().diagnostic().kind == ErrorKind::kNotFound);
    CHECK_THAT(found.status().diagnostic().help, Contains("prefix"));
  }
  CHECK_FALSE(verify_checkpoints(tree / "missing/deep/ckpt-1", {}).ok());
}

TEST_CASE("one bad copy of a worker spoils its step") {
  Files files = three_checkpoints();
  const TempTree sound(files);
  CHECK(verify(sound / "").last_good == sound / "ckpt/ckpt-40");
  files["workertemp_1/ckpt-40.data-00000-of-00001"][9] = 'x';
  const TempTree tree(files);
  const CheckpointVerification found = verify(tree / "", 3);
  CHECK_FALSE(found.all_usable);
  CHECK(found.last_good == tree / "ckpt/ckpt-4");
  CHECK(found.bytes_read == 60);
}

TEST_CASE("the last good checkpoint of a step is the later of two names") {
  Files files;
  add_bundle(files, "c/ckpt-9", at_step(50));
  add_bundle(files, "c/ckpt-10", at_step(50));
  const TempTree tree(files);
  CHECK(verify(tree / "").last_good == tree / "c/ckpt-10");
}

TEST_CASE("text and JSON say the same of each checkpoint") {
  Files files = three_checkpoints();
  files["ckpt/ckpt-40.data-00000-of-00001"].resize(10);
  const TempTree tree(files);
  const CheckpointVerification found = verify(tree / "ckpt");
  const std::string text = to_text(found);
  CHECK_THAT(text, Contains("good             " + (tree / "ckpt/ckpt-4") +
                            "  step 4  2/2 tensors verified, 20 B"));
  CHECK_THAT(text, Contains("shard-short      " + (tree / "ckpt/ckpt-40")));
  CHECK_THAT(text, Contains("2 checkpoints, 1 not usable"));
  const auto json = nlohmann::json::parse(to_json(found));
  CHECK(json["last_good"] == tree / "ckpt/ckpt-4");
  CHECK(json["lost_steps"].is_null());
  REQUIRE(json["items"].size() == 2);
  CHECK(json["items"][0]["problem"].is_null());
  CHECK(json["items"][1]["completeness"] == "shard-short");
  CHECK(json["items"][1]["step"] == 4 * 10);
}

TEST_CASE("threads change nothing but the time") {
  Files files;
  for (int i = 0; i < 20; ++i) add_bundle(files, "c/ckpt-" + std::to_string(i), at_step(i));
  files["c/ckpt-7.data-00000-of-00001"][0] = 'x';
  const TempTree tree(files);
  CHECK(to_json(verify(tree / "", 1)) == to_json(verify(tree / "", 4)));
}

}  // namespace tfpm
