// Rows of every kind of checkpoint fit the schema: columns, types and keys.
#include <catch2/catch.hpp>

#include "store/database.h"
#include "store/row_writer.h"
#include "support/checkpoint_files.h"

namespace tfpm {
namespace {

using namespace test;

// A V1 file of one scalar.
std::string v1_table(const std::string& name) {
  const std::string meta =
      bytes_field(1, bytes_field(1, name) + bytes_field(2, "") + number_field(3, 9));
  const std::string slice = bytes_field(1, name) + bytes_field(3, bytes_field(10, varint(600)));
  return write_table({{"", bytes_field(1, meta)}, {slice_key(name, {}), bytes_field(2, slice)}});
}

Files all_kinds() {
  BundleWriter bundle(2);
  bundle.add_slice("emb", {4, 2}, {{0, 2}, {0, -1}}, {1, 2, 3, 4}, 0);
  bundle.add_slice("emb", {4, 2}, {{2, 2}, {0, -1}}, {5, 6, 7, 8}, 1);
  bundle.add_floats("a\x01", {1});
  bundle.add_floats("a\\x01", {1});  // prints like the one before
  bundle.add_strings("words", {"x"}, 1);
  bundle.add_scalar("global_step", 9);
  Files files;
  add_bundle(files, "v2/ckpt-9", bundle, 2);
  add_bundle(files, "cut/ckpt-9", bundle, 2);
  files["cut/ckpt-9.data-00001-of-00002"].resize(5);
  add_bundle(files, "lost/ckpt-9", bundle, 2);
  files.erase("lost/ckpt-9.data-00000-of-00002");
  add_bundle(files, "noindex/ckpt-9", bundle, 2);
  files["noindex/ckpt-9.index"] = "damaged";
  add_bundle(files, "data/ckpt-9", bundle, 2);
  files.erase("data/ckpt-9.index");
  files["temp/ckpt-9_temp/part-00000-of-00001.index"] = "x";
  files["temp/checkpoint.tmp0f"] = "x";
  files["v1/export"] = v1_table("global_step");
  files["both/export"] = v1_table("global_step");
  add_bundle(files, "both/export", bundle, 2);
  files["sharded/model-00000-of-00002"] = v1_table("global_step");
  files["sharded/model-00001-of-00002"] = v1_table("global_step");
  files["absent/checkpoint"] = "model_checkpoint_path: \"ckpt-9\"\n";
  return files;
}

}  // namespace

TEST_CASE("rows of every kind of checkpoint fit the schema") {
  Result<Database> db = Database::create_in_memory();
  REQUIRE(db.ok());
  RowWriter writer(*db);
  const CheckpointReport report = run_checkpoint_set(all_kinds());
  std::int64_t source = 0;
  for (const CheckpointGroup& group : report.groups) {
    INFO(group.source);
    CHECK_FALSE(group.source.empty());
    writer.begin_source(++source);
    for (const Row& row : group.rows) {
      INFO(to_text(row));
      const Result<std::int64_t> id = writer.write(row);
      INFO((id.ok() ? std::string() : id.status().diagnostic().to_string()));
      REQUIRE(id.ok());
    }
  }
  const auto count = [&](const std::string& sql) { return db->query_int(sql).value(); };
  CHECK(count("SELECT count(*) FROM checkpoint") ==
        static_cast<std::int64_t>(report.summaries.size()));
  CHECK(count("SELECT step FROM checkpoint WHERE prefix = 'v1/export'") == 600);
  CHECK(count("SELECT count(*) FROM checkpoint WHERE format = 'v1'") == 2);
  CHECK(count("SELECT count(*) FROM checkpoint_tensor t JOIN checkpoint c ON c.id = "
              "t.checkpoint_id WHERE c.prefix = 'v2/ckpt-9' AND status = 'ok'") == 7);
  CHECK(count("SELECT count(*) FROM checkpoint_shard WHERE present = 0") == 1);
  CHECK(count("SELECT count(*) FROM checkpoint_leftover") == 2);
  CHECK(count("SELECT count(*) FROM checkpoint WHERE use = 'in-state-file'") == 1);
}

TEST_CASE("the order of members changes nothing") {
  Files files = all_kinds();
  // The same files once more, as if compressed: the first by name counts.
  files["v2/ckpt-9.index.gz"] = "other";
  files["v2/ckpt-9.data-00000-of-00002.gz"] = "other";
  files["temp/ckpt-9_temp/part-00001-of-00003.index.tempstate7"] = "x";
  const CheckpointReport forwards = run_checkpoint_set(files, 1000);
  const CheckpointReport backwards = run_checkpoint_set(files, 1000, true);
  CHECK(rows_text(forwards) == rows_text(backwards));
  CHECK(state_of(forwards, "v2/ckpt-9") == "complete crc-ok finite");
  CHECK(summary_of(forwards, "temp/ckpt-9").problem.find("no index of part 1, 2") !=
        std::string::npos);
}

}  // namespace tfpm
