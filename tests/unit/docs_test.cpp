// What the documentation shows is true: queries run, example rules load and pass their samples.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "engine/rules.h"
#include "store/database.h"

namespace tfpm {
namespace {

std::string read_page(const std::string& path) {
  std::ifstream in(std::string(TFPM_SOURCE_DIR) + "/" + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Texts of the fenced blocks of one language, in order.
std::vector<std::string> fenced(const std::string& page, const std::string& language) {
  std::vector<std::string> out;
  const std::string open = "```" + language + "\n";
  for (std::size_t at = page.find(open); at != std::string::npos; at = page.find(open, at)) {
    at += open.size();
    const std::size_t end = page.find("```", at);
    out.push_back(page.substr(at, end - at));
    at = end;
  }
  return out;
}

}  // namespace

TEST_CASE("queries of the documentation run on an empty database") {
  Result<Database> db = Database::create_in_memory();
  REQUIRE(db.ok());
  REQUIRE(db->finish_loading().ok());
  const std::vector<std::string> queries = fenced(read_page("docs/querying.md"), "sql");
  CHECK(queries.size() >= 10);
  for (const std::string& sql : queries) {
    INFO(sql);
    const Result<Statement> statement = db->prepare(sql);
    CHECK(statement.ok());
  }
}

TEST_CASE("example rules of rules/README.md are rules") {
  const std::string page = read_page("rules/README.md");
  const std::vector<std::string> signatures = fenced(page, "json");
  const std::vector<std::string> analyses = fenced(page, "sql");
  REQUIRE(signatures.size() == 1);
  REQUIRE(analyses.size() == 1);
  const Result<Signature> signature = parse_signature(signatures[0], "rules/README.md");
  REQUIRE(signature.ok());
  CHECK(check_samples(*signature).ok());
  const Result<Analysis> analysis = parse_analysis(analyses[0], "rules/README.md");
  REQUIRE(analysis.ok());
  Result<Database> db = Database::create_in_memory();
  REQUIRE(db.ok());
  CHECK(db->prepare(analysis->sql).ok());
  for (const std::string& id : analysis->explains) {
    INFO(id);
    CHECK_FALSE(read_page("rules/signatures/" + id + ".json").empty());
  }
}

}  // namespace tfpm
