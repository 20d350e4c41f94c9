#include <catch2/catch.hpp>
#include <sstream>

#include "store/bulk_insert.h"
#include "store/database.h"
#include "store/row_writer.h"

namespace tfpm {

TEST_CASE("row writer gives ids in order and resolves references") {
  Result<Database> db = Database::create_in_memory();
  REQUIRE(db.ok());
  RowWriter writer(*db);
  writer.begin_source(7);
  const Row stream{"stream", {{"tag_kind", text_value("none")}, {"records", int_value(3)}}};
  REQUIRE(writer.write(stream).value() == 1);
  writer.begin_source(8);
  REQUIRE(writer.write(stream).value() == 2);
  const Row event{"event",
                  {{"byte_offset", int_value(0)},
                   {"line", int_value(1)},
                   {"stream", RowRef{"stream", 0}},
                   {"seq", int_value(0)},
                   {"severity", text_value("info")},
                   {"kind", text_value("error")},
                   {"record_line", int_value(1)},
                   {"text", text_value("x")}}};
  REQUIRE(writer.write(event).ok());
  CHECK(db->query_int("SELECT stream FROM event").value() == 2);
  CHECK(db->query_int("SELECT source_id FROM event").value() == 8);
}

TEST_CASE("row writer names an unknown table instead of losing the row") {
  Result<Database> db = Database::create_in_memory();
  REQUIRE(db.ok());
  RowWriter writer(*db);
  const auto result = writer.write({"nonsense", {{"a", int_value(1)}}});
  REQUIRE_FALSE(result.ok());
  CHECK(result.status().diagnostic().where == "nonsense");
}

namespace {

// Steps 1..count of two streams, without a loss on every other step.
class TwoStreams : public RowFeed {
 public:
  explicit TwoStreams(std::int64_t count) : count_(count) {}
  bool next() override { return ++at_ < 2 * count_; }
  BulkValue column(std::size_t index) const override {
    if (index == 0) return at_ / count_ + 1;
    if (index == 3 && at_ % 2 == 0) return 0.5;
    if (index == 3) return {};
    if (index == 4) return std::string_view("finite");
    return at_ % count_;
  }

 private:
  std::int64_t count_;
  std::int64_t at_ = -1;
};

}  // namespace

TEST_CASE("rows of a feed are inserted with their types") {
  Result<Database> db = Database::create_in_memory();
  REQUIRE(db.ok());
  const std::vector<std::string_view> columns = {"stream", "seq",        "step",
                                                 "loss",   "loss_state", "line"};
  TwoStreams feed(1000);
  REQUIRE(insert_all(*db, "step_marker", columns, feed).ok());
  CHECK(db->query_int("SELECT count(*) FROM step_marker").value() == 2000);
  CHECK(db->query_int("SELECT count(loss) FROM step_marker WHERE loss = 0.5").value() == 1000);
  CHECK(db->query_int("SELECT sum(seq) FROM step_marker WHERE stream = 2").value() == 499'500);
  CHECK(db->query_text("SELECT DISTINCT loss_state FROM step_marker").value() == "finite");

  TwoStreams none(0);
  REQUIRE(insert_all(*db, "step_marker", columns, none).ok());
  CHECK(db->query_int("SELECT count(*) FROM step_marker").value() == 2000);
}

TEST_CASE("a feed whose rows are there already says so") {
  Result<Database> db = Database::create_in_memory();
  REQUIRE(db.ok());
  const std::vector<std::string_view> columns = {"stream", "seq",        "step",
                                                 "loss",   "loss_state", "line"};
  TwoStreams first(3), again(3);
  REQUIRE(insert_all(*db, "step_marker", columns, first).ok());
  const Status status = insert_all(*db, "step_marker", columns, again);
  REQUIRE_FALSE(status.ok());
  CHECK(status.diagnostic().why.find("UNIQUE") != std::string::npos);
}

TEST_CASE("the schema is its own manual: every table and column has a comment") {
  std::istringstream lines(schema_text());
  bool in_table = false;
  std::size_t columns = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool begins = line.starts_with("CREATE TABLE ");
    if (line.starts_with(")")) in_table = false;
    if (!begins && (!in_table || line.starts_with("  PRIMARY KEY("))) continue;
    in_table = true;
    if (!begins) ++columns;
    INFO(line);
    CHECK(line.find(" -- ") != std::string::npos);
  }
  CHECK(columns > 100);
}

}  // namespace tfpm
