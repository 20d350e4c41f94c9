// Golden reports: fixtures/report/CASE.sql fills an empty store, the four forms must equal
// CASE.json, .md, .html and .txt. TFPM_UPDATE=1 rewrites them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "report/report.h"
#include "store/database.h"

namespace fs = std::filesystem;

namespace tfpm {
namespace {

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void check_golden(const fs::path& fixture, const std::string& extension,
                  const Result<std::string>& rendered) {
  fs::path golden = fixture;
  golden.replace_extension(extension);
  INFO(golden.string());
  REQUIRE(rendered.ok());
  if (std::getenv("TFPM_UPDATE") != nullptr)
    std::ofstream(golden, std::ios::binary) << rendered.value();
  CHECK(rendered.value() == read_file(golden));
}

std::vector<fs::path> fixtures() {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(fs::path(TFPM_SOURCE_DIR) / "fixtures/report")) {
    if (entry.path().extension() == ".sql") out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

TEST_CASE("reports are rendered as recorded") {
  REQUIRE(fixtures().size() >= 4);
  for (const fs::path& fixture : fixtures()) {
    INFO(fixture.string());
    Result<Database> db = Database::create_in_memory();
    REQUIRE(db.ok());
    const Status filled = db->execute(read_file(fixture));
    INFO((filled.ok() ? "" : filled.diagnostic().to_string()));
    REQUIRE(filled.ok());
    check_golden(fixture, ".json", render_findings_json(*db));
    check_golden(fixture, ".md", render_markdown(*db));
    check_golden(fixture, ".html", render_html(*db));
    check_golden(fixture, ".txt",
                 render_terminal(*db, {.color = false, .width = 100, .output_dir = "out.tfpm"}));
  }
}

TEST_CASE("a store without a verdict is refused with what to do") {
  Result<Database> db = Database::create_in_memory();
  REQUIRE(db.ok());
  const Result<std::string> json = render_findings_json(*db);
  REQUIRE_FALSE(json.ok());
  CHECK(json.status().diagnostic().kind == ErrorKind::kUsage);
  CHECK(json.status().diagnostic().help.find("tfpm diagnose") != std::string::npos);
}

TEST_CASE("the checkpoints object needs no verdict") {
  Result<Database> db = Database::create_in_memory();
  REQUIRE(db.ok());
  const Result<std::string> json = render_checkpoints_json(*db);
  REQUIRE(json.ok());
  CHECK(json->find("\"items\": []") != std::string::npos);
  CHECK(json->find("\"last_good\": null") != std::string::npos);
}

}  // namespace tfpm
