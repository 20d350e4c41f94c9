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
#include "support/json_schema.h"

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

// Hostile texts stand where the schema wants one of a few words, so they are only read.
TEST_CASE("findings.json is what its schema says") {
  const auto schema = nlohmann::ordered_json::parse(
      read_file(fs::path(TFPM_SOURCE_DIR) / "docs/findings.schema.json"));
  for (const fs::path& fixture : fixtures()) {
    INFO(fixture.string());
    const std::string text = read_file(fs::path(fixture).replace_extension(".json"));
    const auto findings = nlohmann::ordered_json::parse(text, nullptr, false);
    REQUIRE_FALSE(findings.is_discarded());
    if (fixture.stem() == "hostile") continue;
    CHECK(schema_violations(schema, findings) == std::vector<std::string>{});
  }
}

TEST_CASE("the schema check finds what is wrong") {
  const auto schema = nlohmann::ordered_json::parse(
      R"({"type": "object", "required": ["a", "b"], "properties": {"a": {"type": "integer"}, "b": {"enum": [1]}}})");
  const auto violations = [&](const char* text) {
    return schema_violations(schema, nlohmann::ordered_json::parse(text)).size();
  };
  CHECK(violations(R"({"a": 1, "b": 1})") == 0);
  CHECK(violations(R"({"b": 1, "a": 1})") == 1);
  CHECK(violations(R"({"a": "x", "b": 2})") == 2);
  CHECK(violations(R"({"a": 1, "b": 1, "c": 1})") == 2);
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
