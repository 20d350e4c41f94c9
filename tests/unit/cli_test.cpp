#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "bundle_support.h"
#include "cli/file_output.h"
#include "cli/output_dir.h"
#include "cli/pattern_from_line.h"
#include "cli/progress_line.h"
#include "cli/table.h"
#include "cli/terminal.h"

namespace tfpm::cli {
namespace {

namespace fs = std::filesystem;

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("progress says what is done, how fast, and what is left") {
  using std::chrono::seconds;
  CHECK(progress_text({1u << 30, 4u << 28, 7}, seconds(2)) ==
        " 100 %  1.0 GiB of 1.0 GiB  7 members  512 MiB/s");
  CHECK(progress_text({1u << 20, 61u << 20, 1}, seconds(1)) ==
        "   2 %  1.0 MiB of 61.0 MiB  1 members  1.0 MiB/s  1m00s left");
  CHECK(progress_text({500, 0, std::nullopt}, seconds(0)) == "500 B  0 B/s");
}

TEST_CASE("text from a bundle cannot drive the terminal") {
  CHECK(printable("a\tb\x1b[31m\x07") == "a    b\\x1b[31m\\x07");
  CHECK(printable("\xc2\x9b"
                  "31m") == "\\x9b31m");
  CHECK(printable("gr\xc3\xb6\xc3\x9f") == "gr\xc3\xb6\xc3\x9f");
  CHECK(printable("a\u202eb") == "a\\u202eb");
  CHECK(printable_lines("a\n\x1b[31mb\n") == "a\n\\x1b[31mb\n");
}

TEST_CASE("columns line up for wide and combining characters") {
  CHECK(display_width("abc") == 3);
  CHECK(display_width("\xe6\x97\xa5\xe6\x9c\xac") == 4);
  CHECK(display_width("e\xcc\x81") == 1);
  Table table;
  table.columns = {"name", "n"};
  table.rows = {{text_value("\xe6\x97\xa5"), int_value(5)}, {text_value("abcd"), null_value()}};
  CHECK(to_text(table, TableFormat::kTable) ==
        "name     n\n----  ----\n\xe6\x97\xa5       5\nabcd  NULL\n");
}

TEST_CASE("columns of one name all appear in json") {
  Table table;
  table.columns = {"id", "id", "id_2"};
  table.rows = {{int_value(1), int_value(2), int_value(3)}};
  CHECK(to_text(table, TableFormat::kJson) ==
        "[\n {\n  \"id\": 1,\n  \"id_3\": 2,\n  \"id_2\": 3\n }\n]\n");
  table.rows.clear();
  CHECK(to_text(table, TableFormat::kJson) == "[]\n");
}

TEST_CASE("csv fields keep line ends and no other control bytes") {
  Table table;
  table.columns = {"text"};
  table.rows = {{text_value("a\x1b[31m\x07\tb\nc")}};
  CHECK(to_text(table, TableFormat::kCsv) == "text\n\"a\\x1b[31m\\x07\tb\nc\"\n");
}

TEST_CASE("a table is written while its rows come") {
  std::size_t most = 0;
  std::size_t calls = 0;
  TableWriter writer(TableFormat::kTable, {"n"}, [&](std::string_view text) {
    most = std::max(most, text.size());
    ++calls;
    return ok_status();
  });
  for (std::uint64_t i = 0; i < 100'000; ++i) REQUIRE(writer.add({int_value(i)}).ok());
  REQUIRE(writer.finish().ok());
  CHECK(calls > 5);
  CHECK(most < (std::size_t{1} << 17));
}

TEST_CASE("a pattern from a line keeps the words and frees the numbers") {
  CHECK(pattern_from_line("gave up on /mnt/nfs/part-00017 after 300 s (0x1f)") ==
        "gave up on \\S+ after [0-9]+ s \\(0x[0-9a-fA-F]+\\)");
  CHECK(pattern_from_line("a/b c. 1.5") == "a/b c\\. [0-9]+\\.[0-9]+");
  CHECK(pattern_from_line("id 7f3a9c21de ok") == "id [0-9a-fA-F]+ ok");
}

TEST_CASE("an output directory is there as a whole or not at all") {
  const test::TempDir dir;
  const std::string target = dir.path("out");
  {
    const Result<OutputDir> out = OutputDir::create(target + "/", false);
    REQUIRE(out.ok());
    REQUIRE(write_file(out->path("report.md"), "x").ok());
    CHECK_FALSE(fs::exists(target));
  }
  CHECK(fs::is_empty(dir.path()));
  {
    Result<OutputDir> out = OutputDir::create(target, false);
    REQUIRE(write_file(out->path("report.md"), "x").ok());
    REQUIRE(out->commit({"report.md"}).ok());
  }
  CHECK(read(target + "/report.md") == "x");
  CHECK_FALSE(OutputDir::check(target, false).ok());
}

TEST_CASE("a forced output replaces its own files and nothing else") {
  const test::TempDir dir;
  dir.write("out/report.md", "old");
  dir.write("out/report.html", "stale");
  dir.write("out/notes.txt", "mine");
  Result<OutputDir> out = OutputDir::create(dir.path("out"), true);
  REQUIRE(out.ok());
  REQUIRE(write_file(out->path("report.md"), "new").ok());
  REQUIRE(out->commit({"report.md", "report.html"}).ok());
  CHECK(read(dir.path("out/report.md")) == "new");
  CHECK_FALSE(fs::exists(dir.path("out/report.html")));
  CHECK(read(dir.path("out/notes.txt")) == "mine");
}

TEST_CASE("late control characters are shown in csv and json, too") {
  Table table;
  table.columns = {"t"};
  table.rows = {
      {text_value("a\x7f\xc2\x9b"
                  "31m")}};
  CHECK(to_text(table, TableFormat::kCsv) == "t\na\\x7f\\x9b31m\n");
  CHECK(to_text(table, TableFormat::kJson) == "[\n {\n  \"t\": \"a\\u007f\\u009b31m\"\n }\n]\n");
}

TEST_CASE("a file that cannot be replaced leaves nothing beside it") {
  const test::TempDir dir;
  dir.write("out/inside", "x");
  CHECK_FALSE(replace_file(dir.path("out"), "new").ok());
  CHECK(fs::exists(dir.path("out/inside")));
  CHECK_FALSE(fs::exists(dir.path("out.partial")));
  CHECK(replace_file(dir.path("file"), "old").ok());
  CHECK(replace_file(dir.path("file"), "new").ok());
  CHECK(read(dir.path("file")) == "new");
  CHECK_FALSE(fs::exists(dir.path("file.partial")));
}

}  // namespace tfpm::cli
