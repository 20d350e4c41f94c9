// Rows between parsers and the store: packed, in a file, and clusters that are said many times.
#include "ingest/row_buffer.h"

#include <unistd.h>

#include <catch2/catch.hpp>

#include "ingest/cluster_writer.h"
#include "store/database.h"

namespace tfpm {
namespace {

std::vector<std::string> texts(const RowBuffer& buffer) {
  std::vector<std::string> out;
  const Status status = buffer.for_each([&](Row& row) {
    out.push_back(to_text(row));
    return ok_status();
  });
  CHECK(status.ok());
  return out;
}

void add_some(RowBuffer& buffer, const std::string& tag) {
  const RowRef stream = buffer.add("stream", {{"tag", text_value(tag)}, {"records", Value(7)}});
  buffer.add("event", {{"stream", stream}, {"text", null_value()}, {"score", Value(0.5)}});
  buffer.add("event", {{"stream", stream}, {"text", text_value("")}});
  buffer.add("event", {{"stream", stream}, {"text", null_value()}, {"score", Value(-1.0)}});
}

TEST_CASE("rows come back as they went in, from memory and from a file") {
  RowBuffer plain, spilled;
  for (const char* tag : {"one", "two"}) {
    add_some(plain, tag);
    add_some(spilled, tag);
  }
  REQUIRE(texts(plain).size() == 8);
  CHECK(texts(plain)[0] == to_text(plain.rows()[0]));
  CHECK(texts(plain)[4].find("two") != std::string::npos);

  SpillFile file("/tmp");
  REQUIRE(spilled.spill(file).ok());
  CHECK(spilled.bytes() == 0);
  CHECK(texts(spilled) == texts(plain));
  add_some(plain, "three");
  add_some(spilled, "three");
  CHECK(texts(spilled) == texts(plain));
}

TEST_CASE("a visitor's failure ends the visit") {
  RowBuffer buffer;
  add_some(buffer, "x");
  int seen = 0;
  const Status status = buffer.for_each([&](Row&) {
    ++seen;
    return error(ErrorKind::kIo, "no", "");
  });
  CHECK_FALSE(status.ok());
  CHECK(seen == 1);
}

TEST_CASE("a temporary file that cannot be made is an error that names the folder") {
  SpillFile file("/nonexistent-folder");
  const auto extent = file.write("rows");
  REQUIRE_FALSE(extent.ok());
  CHECK(extent.status().diagnostic().where == "/nonexistent-folder");
}

void add_config(ClusterWriter& clusters, RowWriter& out, const std::string& cluster,
                const std::string& address) {
  Row config{"tf_config",
             {{"form", text_value("file")},
              {"valid_json", Value(1)},
              {"text", text_value("{}")},
              {"cluster", text_value(cluster)}}};
  REQUIRE(clusters.begin(config));
  Row task{"cluster_task",
           {{"tf_config_id", RowRef{"tf_config", 0}},
            {"task_type", text_value("worker")},
            {"task_index", Value(0)},
            {"address", text_value(address)}}};
  REQUIRE(clusters.takes(task));
  REQUIRE(clusters.flush(out).ok());
}

TEST_CASE("a cluster that many TF_CONFIGs say is stored once") {
  Result<Database> db = Database::create_in_memory();
  REQUIRE(db.ok());
  RowWriter out(*db);
  const auto source =
      out.write({"source", {{"path", text_value("a")}, {"status", text_value("x")}}});
  REQUIRE(source.ok());
  out.begin_source(*source);
  ClusterWriter clusters;
  for (int i = 0; i < 3; ++i) add_config(clusters, out, "worker=h:1", "h:1");
  add_config(clusters, out, "worker=h:2", "h:2");
  add_config(clusters, out, "worker=h:2", "h:2 ");  // the same text, not the same address
  CHECK(db->query_int("SELECT count(*) FROM cluster_spec").value() == 3);
  CHECK(db->query_int("SELECT count(*) FROM tf_config").value() == 5);
  CHECK(db->query_int("SELECT count(*) FROM cluster_address").value() == 3);
  CHECK(db->query_int("SELECT count(*) FROM cluster_task").value() == 5);
  CHECK(db->query_text("SELECT address FROM cluster_task WHERE tf_config_id = 5").value() ==
        "h:2 ");
}

TEST_CASE("a TF_CONFIG without a cluster is stored without one") {
  ClusterWriter clusters;
  Row config{"tf_config", {{"cluster", null_value()}, {"text", text_value("{}")}}};
  CHECK_FALSE(clusters.begin(config));
  CHECK(config.fields.size() == 1);
}

}  // namespace
}  // namespace tfpm
