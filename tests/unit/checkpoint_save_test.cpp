// Remains of saves that did not end, state files, V1 files, and files that are no checkpoint.
#include <catch2/catch.hpp>

#include "support/checkpoint_files.h"

namespace tfpm {
namespace {

using namespace test;
using Catch::Matchers::Contains;

void add_simple(Files& files, const std::string& prefix) {
  BundleWriter bundle;
  bundle.add_floats("w", {1, 2, 3});
  add_bundle(files, prefix, bundle);
}

std::string state_file(const std::vector<std::string>& paths) {
  std::string out = "model_checkpoint_path: \"" + paths.back() + "\"\n";
  for (const std::string& path : paths) out += "all_model_checkpoint_paths: \"" + path + "\"\n";
  return out;
}

// A V1 table of one float vector, as SavedTensorSlices.
std::string v1_table(const std::vector<float>& values) {
  const std::string shape = bytes_field(2, bytes_field(2, number_field(1, values.size())));
  const std::string meta = bytes_field(1, bytes_field(1, "w") + shape + number_field(3, 1));
  const std::string proto = bytes_field(5, floats(values));
  const std::string slice = bytes_field(1, "w") + bytes_field(3, proto);
  return write_table(
      {{"", bytes_field(1, meta)}, {slice_key("w", {{0, -1}}), bytes_field(2, slice)}},
      {256 * 1024, 16, true});
}

}  // namespace

TEST_CASE("a save that died before its merge leaves parts") {
  Files files;
  files["c/ckpt-7_temp/part-00000-of-00002.data-00000-of-00001"] = "12345678";
  files["c/ckpt-7_temp/part-00000-of-00002.index"] = "x";
  files["c/ckpt-7_temp/part-00001-of-00002.data-00000-of-00001.tempstate123"] = "123";
  const CheckpointReport report = run_checkpoint_set(files);
  CHECK(summary_of(report, "c/ckpt-7").completeness == "temp-only");
  CHECK_THAT(summary_of(report, "c/ckpt-7").problem,
             Contains("ckpt-7_temp: 1 of 2 parts written, 11 bytes, no index of part 1"));
  CHECK_THAT(summary_of(report, "c/ckpt-7").problem, Contains("while the data was being written"));
  CHECK_THAT(rows_text(report), Contains("kind=\"temp-part\"  prefix=\"c/ckpt-7\""));
}

TEST_CASE("older and remote stores name their parts differently") {
  Files files;
  files["m-1_temp_5fcd97c881a7428db8eded829b964618/part-00000-of-00001.index"] = "x";
  files["m-1_temp_5fcd97c881a7428db8eded829b964618/part-00000-of-00001.data-00000-of-00001"] = "y";
  files["s3-2.part-00000-of-00003.data-00000-of-00001"] = "y";
  files["plain-3.data-00000-of-00001.tempstate99"] = "yy";
  const CheckpointReport report = run_checkpoint_set(files);
  CHECK_THAT(summary_of(report, "m-1").problem, Contains("before they were merged"));
  CHECK(summary_of(report, "s3-2").completeness == "temp-only");
  CHECK_THAT(summary_of(report, "plain-3").problem, Contains("2 bytes, never renamed"));
}

TEST_CASE("data without an index tells a dead merge from a deletion") {
  Files files;
  add_simple(files, "c/ckpt-3");
  files.erase("c/ckpt-3.index");
  CHECK(summary_of(run_checkpoint_set(files), "c/ckpt-3").completeness == "data-no-index");
  Files merging = files;
  merging["c/ckpt-3_temp/part-00000-of-00001.index"] = "x";
  CHECK_THAT(summary_of(run_checkpoint_set(merging), "c/ckpt-3").problem,
             Contains("died while merging"));
  Files deleting = files;
  add_simple(deleting, "c/ckpt-9");
  deleting["c/checkpoint"] = state_file({"ckpt-9"});
  CHECK_THAT(summary_of(run_checkpoint_set(deleting), "c/ckpt-3").problem,
             Contains("its deletion was interrupted"));
}

TEST_CASE("state files find their checkpoints wherever the bundle put them") {
  Files files;
  add_simple(files, "run/ckpt/ckpt-1");
  add_simple(files, "run/ckpt/ckpt-2");
  files["run/ckpt/checkpoint"] = state_file({"/mnt/train/ckpt/ckpt-0", "/mnt/train/ckpt/ckpt-2"});
  const CheckpointReport report = run_checkpoint_set(files);
  CHECK(report.summaries.size() == 2);  // ckpt-0 is normal retention
  CHECK_THAT(rows_text(report),
             Contains("prefix=\"run/ckpt/ckpt-2\"") && Contains("in-state-file"));
  Files apart;
  add_simple(apart, "data/ckpt/ckpt-5");
  apart["logs/checkpoint"] = state_file({"/mnt/ckpt/ckpt-5"});
  CHECK(run_checkpoint_set(apart).summaries.size() == 1);
}

TEST_CASE("a latest checkpoint that is not there is absent") {
  Files files;
  add_simple(files, "c/ckpt-1");
  files["c/checkpoint"] = state_file({"ckpt-1", "ckpt-2"});
  const CheckpointReport report = run_checkpoint_set(files);
  CHECK(state_of(report, "c/ckpt-2") == "absent unknown unknown");
  CHECK_THAT(summary_of(report, "c/ckpt-2").problem, Contains("c/checkpoint names it"));
  CHECK(report.groups[1].source == "c/checkpoint");
}

TEST_CASE("a temporary state file is a leftover of no checkpoint") {
  Files files;
  files["c/checkpoint.tmp0123456789abcdef0123456789abcdef"] = "model";
  const CheckpointReport report = run_checkpoint_set(files);
  CHECK(report.summaries.empty());
  CHECK_THAT(rows_text(report), Contains("kind=\"tempstate\"\n"));
}

TEST_CASE("a worker's own folder is a leftover only when no checkpoint in it is whole") {
  Files files;
  add_simple(files, "workertemp_1/ckpt-1");
  files["workertemp_2/ckpt-1_temp/part-00000-of-00001.data-00000-of-00001"] = "x";
  const std::string rows = rows_text(run_checkpoint_set(files));
  CHECK_THAT(rows, Contains("path=\"workertemp_2\"  kind=\"workertemp\""));
  CHECK_THAT(rows, !Contains("path=\"workertemp_1\""));
}

TEST_CASE("V1 files are found by content, with and without a shard suffix") {
  Files files;
  files["v1/export"] = v1_table({1, 2});
  files["v1/checkpoint"] = state_file({"/tmp/elsewhere/export"});
  CheckpointReport report = run_checkpoint_set(files);
  CHECK(state_of(report, "v1/export") == "complete crc-ok finite");
  CHECK(report.summaries.size() == 1);
  Files sharded;
  sharded["s/model-00000-of-00002"] = v1_table({1, 2});
  CHECK(summary_of(run_checkpoint_set(sharded), "s/model").completeness == "shard-missing");
  sharded["s/model-00001-of-00002"] = v1_table({3});
  sharded["s/checkpoint"] = state_file({"model-" + std::string(5, '?') + "-of-00002"});
  report = run_checkpoint_set(sharded);
  CHECK(state_of(report, "s/model") == "complete crc-ok finite");
  CHECK(report.summaries.size() == 1);
}

TEST_CASE("a changed V1 file is not sound, unless nobody reads the byte") {
  const std::string whole = v1_table({1, 2, 3});
  const std::string sound = rows_text(run_checkpoint_set({{"export", whole}}));
  std::size_t unread = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(whole[at] ^ 0x20);
    const CheckpointReport report = run_checkpoint_set({{"export", changed}});
    if (!summary_of(report, "export").usable()) continue;
    CHECK(rows_text(report) == sound);
    ++unread;
  }
  CHECK(unread <= 13 + 40);  // the empty metaindex block and the footer's padding
}

TEST_CASE("a V1 file whose only block is damaged is still a checkpoint") {
  std::string damaged = v1_table({1, 2, 3});
  damaged[damaged.size() / 3] = static_cast<char>(damaged[damaged.size() / 3] ^ 0x20);
  const CheckpointReport report = run_checkpoint_set({{"export", damaged}});
  REQUIRE(report.summaries.size() == 1);
  CHECK(report.summaries[0].integrity == "crc-bad");
  CHECK_THAT(report.summaries[0].problem, Contains("export is damaged at byte 0"));
}

TEST_CASE("other programs' files of the same names are left alone") {
  Files files;
  files["logs/app.index"] = "day 1: 3 entries\n";
  files["cache/table.index"] = write_table({{"key", "value"}});
  files["checkpoint"] = "a note somebody made\n";
  files["notes-00000-of-00002"] = "text";
  CHECK(run_checkpoint_set(files).summaries.empty());
}

TEST_CASE("shards of two saves under one prefix are reported") {
  Files files;
  add_simple(files, "x");
  files["x.data-00000-of-00002"] = "old";
  const CheckpointReport report = run_checkpoint_set(files);
  CHECK(state_of(report, "x") == "complete crc-ok finite");
  CHECK_THAT(summary_of(report, "x").problem, Contains("several saves share the prefix"));
}

}  // namespace tfpm
