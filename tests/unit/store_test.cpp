#include <catch2/catch.hpp>
#include <sstream>

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
