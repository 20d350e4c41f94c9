#include "engine/rules.h"

#include <catch2/catch.hpp>

namespace tfpm {

TEST_CASE("the literal is one that every match contains") {
  CHECK(necessary_literal("Socket closed") == "Socket closed");
  CHECK(necessary_literal("a|bcdef") == "");
  CHECK(necessary_literal("(?:abc|abd)efgh+i") == "efgh");
  CHECK(necessary_literal("tasks?: (?P<n>\\d+) gone") == " gone");
  CHECK(necessary_literal("(?P<who>worker-\\d+) is down") == " is down");
  CHECK(necessary_literal("(optional text)?sure") == "sure");
  CHECK(necessary_literal("(?i)nothing sure") == "");
  CHECK(necessary_literal("one\\.two[.]three") == "one.two.three");
  CHECK(necessary_literal("head\\ntail of it") == "tail of it");
  CHECK(necessary_literal("x{0,3}yz{2}abc") == "abc");
  CHECK(necessary_literal("(?m)^StopIteration$") == "StopIteration");
}

TEST_CASE("a signature with an unknown key is refused with its place") {
  const auto r = parse_signature("{\"id\": \"x\",\n \"titel\": \"t\"}", "f.json");
  REQUIRE_FALSE(r.ok());
  CHECK(r.status().diagnostic().where == "f.json:2:2");
}

TEST_CASE("a pattern without a sure literal is refused") {
  const auto r = parse_signature(
      R"json({"id":"x","title":"t","role":"root","severity":"error",
              "patterns":[{"re":"[0-9]+ (a|b)"}],"samples":["1 a"]})json",
      "f.json");
  REQUIRE_FALSE(r.ok());
  CHECK(r.status().diagnostic().kind == ErrorKind::kRule);
}

TEST_CASE("a broken expression is reported with its place") {
  const auto r = parse_signature(
      R"json({"id":"x","title":"t","role":"root","severity":"error",
              "patterns":[{"re":"Socket closed ("}],"samples":["Socket closed ("]})json",
      "code.json");
  REQUIRE_FALSE(r.ok());
  CHECK(r.status().diagnostic().kind == ErrorKind::kRule);
  CHECK(r.status().diagnostic().what.find("Socket closed (") != std::string::npos);
  CHECK(r.status().diagnostic().where.starts_with("code.json:"));
}

TEST_CASE("an analysis needs its header") {
  CHECK(parse_analysis("-- id: a\n-- title: t\n-- class: nan\n-- why: because\nSELECT 1;", "a.sql")
            .ok());
  CHECK_FALSE(parse_analysis("-- id: a\nSELECT 1", "a.sql").ok());
  CHECK_FALSE(
      parse_analysis("-- id: a\n-- title: t\n-- class: nonsense\n-- why: w\nSELECT 1", "a").ok());
}

TEST_CASE("every built-in rule loads and every signature passes its samples") {
  const Result<RuleSet> rules = load_rules(std::nullopt);
  REQUIRE((rules.ok() ? "" : rules.status().diagnostic().to_string()) == "");
  for (const Signature& s : rules->signatures) {
    const Status checked = check_samples(s);
    CHECK((checked.ok() ? "" : checked.diagnostic().to_string()) == "");
  }
}

}  // namespace tfpm
