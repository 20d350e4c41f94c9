// States and sentences of whole checkpoints, sound and damaged.
#include <catch2/catch.hpp>
#include <limits>

#include "support/checkpoint_files.h"

namespace tfpm {
namespace {

using namespace test;
using Catch::Matchers::Contains;

BundleWriter small_bundle(std::int64_t step) {
  BundleWriter out;
  out.add_floats("bias", {1, 2, 3});
  out.add_scalar("save_counter/.ATTRIBUTES/VARIABLE_VALUE", 4);
  out.add_scalar("step/.ATTRIBUTES/VARIABLE_VALUE", step);
  out.add_floats("weights/.ATTRIBUTES/VARIABLE_VALUE", std::vector<float>(3000, 0.5F));
  out.add_strings("words", {"ab", "", "xyz"});
  return out;
}

Files small_files() {
  Files files;
  add_bundle(files, "ckpt/ckpt-7", small_bundle(70));
  return files;
}

constexpr const char* kShard = "ckpt/ckpt-7.data-00000-of-00001";
constexpr const char* kIndex = "ckpt/ckpt-7.index";
constexpr const char* kPrefix = "ckpt/ckpt-7";

}  // namespace

TEST_CASE("a sound checkpoint is complete, intact and finite") {
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{1000}, std::size_t{1} << 20}) {
    const CheckpointReport report = run_checkpoint_set(small_files(), chunk);
    REQUIRE(report.summaries.size() == 1);
    const CheckpointSummary& summary = report.summaries[0];
    CHECK(state_of(report, kPrefix) == "complete crc-ok finite");
    CHECK(summary.problem.empty());
    CHECK(summary.step == 70);  // the counter inside, not the suffix
    CHECK(summary.tensors == 5);
    CHECK(summary.verified == 5);
    CHECK(report.groups[0].source == kIndex);
    CHECK(report.groups[0].problems.empty());
    const std::string rows = rows_text(report);
    CHECK_THAT(rows, Contains("save_counter=4"));
    CHECK_THAT(rows, Contains("step_basis=\"tensor\""));
    CHECK_THAT(rows, Contains("name=\"bias\"  dtype=\"float32\"  shape=\"[3]\"  "
                              "status=\"ok\"  shard=0  byte_offset=0  bytes=12"));
  }
}

TEST_CASE("compressed tables of many blocks read like plain ones") {
  BundleWriter bundle;
  for (int i = 0; i < 500; ++i) bundle.add_scalar("counter/" + std::to_string(i), i);
  for (const bool snappy : {false, true}) {
    for (const std::size_t block : {std::size_t{1}, std::size_t{300}, std::size_t{1} << 18}) {
      Files files;
      add_bundle(files, "c", bundle, 1, {block, 16, snappy});
      const CheckpointReport report = run_checkpoint_set(files);
      CHECK(state_of(report, "c") == "complete crc-ok finite");
      CHECK(summary_of(report, "c").tensors == 500);
    }
  }
}

TEST_CASE("one flipped bit names its tensor") {
  Files files = small_files();
  files[kShard][100] = static_cast<char>(files[kShard][100] ^ 4);
  const CheckpointReport report = run_checkpoint_set(files);
  CHECK(state_of(report, kPrefix) == "complete crc-bad unknown");
  CHECK_THAT(summary_of(report, kPrefix).problem,
             Contains("1 of 5 tensors of ckpt-7.data-00000-of-00001 does not match its checksum: "
                      "weights (12000 bytes at 28)"));
  REQUIRE(report.groups[0].problems.size() == 1);
  CHECK(report.groups[0].problems[0].code == "checkpoint-crc-bad");
}

TEST_CASE("pages of zeros are told apart from flipped bits") {
  Files files = small_files();
  files[kShard].replace(4096, 4096, std::string(4096, '\0'));
  const CheckpointReport report = run_checkpoint_set(files);
  CHECK_THAT(summary_of(report, kPrefix).problem, Contains("1 page of zeros"));
  CHECK_THAT(summary_of(report, kPrefix).problem, Contains("never reached the disk"));
}

TEST_CASE("data of another save fails as a whole") {
  Files files = small_files();
  Files other;
  BundleWriter wrong;
  wrong.add_floats("filler", std::vector<float>(3100, 9.25F));
  add_bundle(other, kPrefix, wrong);
  files[kShard] = other[kShard].substr(0, files[kShard].size());
  const CheckpointReport report = run_checkpoint_set(files);
  CHECK(summary_of(report, kPrefix).integrity == "crc-bad");
  CHECK_THAT(summary_of(report, kPrefix).problem, Contains("of different saves"));
}

TEST_CASE("a shard cut at any byte is short, and says what is left") {
  const Files whole = small_files();
  for (std::size_t cut = 0; cut < whole.at(kShard).size(); cut += cut < 40 ? 1 : 611) {
    Files files = whole;
    files[kShard].resize(cut);
    const CheckpointReport report = run_checkpoint_set(files);
    CHECK(state_of(report, kPrefix) == "shard-short unknown unknown");
    CHECK_THAT(summary_of(report, kPrefix).problem,
               Contains(std::to_string(cut) + " of 12040 bytes"));
  }
}

TEST_CASE("an index cut or changed at any byte never reads as sound") {
  const Files whole = small_files();
  for (std::size_t at = 0; at < whole.at(kIndex).size(); ++at) {
    Files cut = whole;
    cut[kIndex].resize(at);
    CHECK(summary_of(run_checkpoint_set(cut), kPrefix).completeness == "index-unreadable");
    Files changed = whole;
    changed[kIndex][at] = static_cast<char>(changed[kIndex][at] ^ 0x10);
    const CheckpointSummary summary = summary_of(run_checkpoint_set(changed), kPrefix);
    const bool padding = summary.usable() && summary.verified == 5;  // bytes nobody reads
    CHECK((padding || summary.completeness == "index-unreadable"));
  }
}

TEST_CASE("a cut index still tells what it holds") {
  Files files = small_files();
  files[kIndex].resize(files[kIndex].size() - 20);
  const CheckpointReport report = run_checkpoint_set(files);
  CHECK_THAT(summary_of(report, kPrefix).problem, Contains("without its footer: cut short"));
  CHECK_THAT(summary_of(report, kPrefix).problem, Contains("5 tensors could be read"));
}

TEST_CASE("accidents of copying are called by their names") {
  Files files = small_files();
  files[kIndex] = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n";
  CHECK_THAT(summary_of(run_checkpoint_set(files), kPrefix).problem, Contains("Git LFS pointer"));
  files[kIndex] = std::string(400, '\0');
  CHECK_THAT(summary_of(run_checkpoint_set(files), kPrefix).problem,
             Contains("all 400 bytes are zero"));
  files[kIndex] = small_files()[kIndex] + "tail";
  CHECK_THAT(summary_of(run_checkpoint_set(files), kPrefix).problem,
             Contains("4 bytes follow the end of the table"));
}

TEST_CASE("a missing shard names what lived there") {
  BundleWriter bundle(2);
  bundle.add_floats("a", {1}, 0);
  bundle.add_floats("b", {2}, 1);
  bundle.add_floats("c", {3, 4}, 1);
  Files files;
  add_bundle(files, "m", bundle, 2);
  CHECK(state_of(run_checkpoint_set(files), "m") == "complete crc-ok finite");
  files.erase("m.data-00001-of-00002");
  const CheckpointReport report = run_checkpoint_set(files);
  CHECK(state_of(report, "m") == "shard-missing unknown unknown");
  CHECK_THAT(summary_of(report, "m").problem,
             Contains("1 of 2 shards missing (m.data-00001-of-00002), with 2 tensors of 12 bytes: "
                      "b, c"));
  CHECK_THAT(rows_text(report), Contains("shard=1  path=\"m.data-00001-of-00002\"  present=0"));
}

TEST_CASE("a model that diverged is sound and not finite") {
  BundleWriter bundle;
  bundle.add_floats("good", {1, 2});
  bundle.add_floats("bad", {1, std::numeric_limits<float>::quiet_NaN(), 3});
  Files files;
  add_bundle(files, "n", bundle);
  const CheckpointReport report = run_checkpoint_set(files);
  CHECK(state_of(report, "n") == "complete crc-ok nonfinite");
  CHECK_FALSE(summary_of(report, "n").usable());
  CHECK_THAT(summary_of(report, "n").problem,
             Contains("1 of 2 float tensors with NaN or Inf: bad (1 of 3 values"));
}

TEST_CASE("partitioned tensors are judged by their slices") {
  BundleWriter bundle(2);
  bundle.add_slice("emb", {4, 2}, {{0, 2}, {0, -1}}, {1, 2, 3, 4}, 0);
  bundle.add_slice("emb", {4, 2}, {{2, 2}, {0, -1}}, {5, 6, 7, 8}, 1);
  Files files;
  add_bundle(files, "p", bundle, 2);
  const CheckpointReport report = run_checkpoint_set(files);
  CHECK(state_of(report, "p") == "complete crc-ok finite");
  CHECK(summary_of(report, "p").tensors == 1);
  CHECK_THAT(rows_text(report), Contains("name=\"emb[2,2:-]\""));
  BundleWriter hole;
  hole.add_slice("emb", {4, 2}, {{0, 2}, {0, -1}}, {1, 2, 3, 4});
  Files incomplete;
  add_bundle(incomplete, "p", hole);
  CHECK_THAT(summary_of(run_checkpoint_set(incomplete), "p").problem,
             Contains("emb is not covered by its slices"));
}

TEST_CASE("contradictory entries are damage, whatever the checksums say") {
  BundleWriter bundle;
  bundle.add("size", 1, {5}, floats({1, 2, 3}));
  Files files;
  add_bundle(files, "s", bundle);
  CHECK(summary_of(run_checkpoint_set(files), "s").integrity == "crc-bad");
  BundleWriter twice;
  twice.add_floats("a", {1, 2});
  twice.add_raw("b", number_field(1, 1) + bytes_field(2, bytes_field(2, number_field(1, 2))) +
                         number_field(5, 8) + fixed32_field(6, plain_masked_crc(floats({1, 2}))));
  Files overlap;
  add_bundle(overlap, "o", twice);
  CHECK_THAT(summary_of(run_checkpoint_set(overlap), "o").problem,
             Contains("b lies over another tensor's bytes"));
}

TEST_CASE("something appended to a shard is reported, but hurts nobody") {
  Files files = small_files();
  files[kShard] += std::string(5000, 'x');
  const CheckpointReport report = run_checkpoint_set(files);
  CHECK(state_of(report, kPrefix) == "complete crc-ok finite");
  CHECK_THAT(summary_of(report, kPrefix).problem, Contains("5000 bytes longer"));
}

TEST_CASE("without the second pass nothing is said of the bytes") {
  CheckpointSet set;
  for (const auto& [path, bytes] : small_files()) {
    if (set.add_member(path, path, bytes.size(), bytes)) set.add_content(path, bytes);
  }
  CHECK(set.wants(kShard));
  CHECK_FALSE(set.wants(kIndex));
  const CheckpointReport report = set.finish();
  CHECK(state_of(report, kPrefix) == "complete unknown unknown");
  CHECK(report.summaries[0].step == 7);  // only the suffix is known
}

TEST_CASE("an index that cannot be had is not an index that is damaged") {
  CheckpointSet set;
  const Files files = small_files();
  REQUIRE(set.add_member(kIndex, kIndex, std::nullopt, {}));
  set.add_unread(kIndex, "Permission denied");
  set.add_member(kShard, kShard, files.at(kShard).size(), {});
  const CheckpointReport report = set.finish();
  CHECK(state_of(report, kPrefix) == "index-unreadable unknown unknown");
  CHECK_THAT(report.summaries[0].problem, Contains("could not be read: Permission denied"));
}

}  // namespace tfpm
