// The class descriptions (rules/classes/*.json, format in its README.md): complete, in form, and
// free of circles, so that the engine and the report can rely on them.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "engine/class_ids.h"

namespace {

using Json = nlohmann::ordered_json;
using Names = std::set<std::string>;

std::map<std::string, Json> load_classes() {
  std::map<std::string, Json> out;
  const std::filesystem::path dir = std::filesystem::path(TFPM_SOURCE_DIR) / "rules" / "classes";
  for (const auto& entry : std::filesystem::directory_iterator(dir)) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream in(entry.path());
    out.emplace(entry.path().stem().string(), Json::parse(in));
  }
  return out;
}

Names placeholders(const std::string& text) {
  Names out;
  for (std::size_t at = text.find('{'); at != std::string::npos; at = text.find('{', at + 1)) {
    const std::size_t end = text.find('}', at);
    if (end == std::string::npos) break;
    out.insert(text.substr(at + 1, end - at - 1));
  }
  return out;
}

void check_placeholders(const Json& text, const Names& allowed) {
  INFO(text);
  for (const std::string& name : placeholders(text.get<std::string>())) {
    CHECK(allowed.count(name) == 1);
  }
}

// Whether `from` reaches `target` over the replaces lists.
bool replaces(const std::map<std::string, Json>& classes, const std::string& from,
              const std::string& target, Names& seen) {
  if (!seen.insert(from).second) return false;
  for (const auto& next : classes.at(from)["replaces"]) {
    if (next == target || replaces(classes, next, target, seen)) return true;
  }
  return false;
}

TEST_CASE("every failure class has a description and nothing else has one", "[rules]") {
  Names described;
  for (const auto& [id, doc] : load_classes()) {
    CHECK(doc.at("id") == id);
    described.insert(id);
  }
  CHECK(described == Names(tfpm::class_ids().begin(), tfpm::class_ids().end()));
}

void check_texts(const Json& doc) {
  CHECK(Names{"critical", "error", "warning", "info"}.count(doc["severity"]) == 1);
  CHECK(doc["title"].get<std::string>().size() <= 90);
  CHECK(doc["title_unnamed"].get<std::string>().size() <= 90);
  check_placeholders(doc["title"], {"workers", "step"});
  check_placeholders(doc["title_unnamed"], {"step"});
  check_placeholders(doc["summary"], {"workers", "step", "last", "what", "checkpoint"});
  CHECK(placeholders(doc["summary"]).count("what") == 1);
  if (doc.contains("summary_unnamed")) {
    check_placeholders(doc["summary_unnamed"], {"step", "last", "what", "checkpoint"});
  }
  for (const char* list : {"now", "check", "prevent", "collect"}) {
    CHECK_FALSE(doc[list].empty());
    for (const auto& text : doc[list]) {
      check_placeholders(text, {"workers", "host", "checkpoint", "step", "file"});
    }
  }
}

TEST_CASE("class descriptions keep the form", "[rules]") {
  const std::vector<std::string> keys = {
      "id",      "stage", "ends_process", "starts_up", "severity", "title",   "title_unnamed",
      "summary", "now",   "check",        "prevent",   "collect",  "replaces"};
  const Names of_a_cause = {"severity", "title", "title_unnamed", "summary", "summary_unnamed",
                            "now",      "check", "prevent",       "collect"};
  const Names optional = {"causes", "summary_unnamed", "unnamed_workers", "unnamed_host"};
  for (const auto& [id, doc] : load_classes()) {
    INFO(id);
    std::vector<std::string> found;
    for (const auto& item : doc.items()) {
      if (optional.count(item.key()) == 1) continue;
      found.push_back(item.key());
    }
    REQUIRE(found == keys);
    CHECK(Names{"failure", "remains"}.count(doc["stage"]) == 1);
    check_texts(doc);
    if (!doc.contains("causes")) continue;
    for (const auto& [cause, own] : doc["causes"].items()) {
      INFO(cause);
      Json merged = doc;
      for (const auto& [key, text] : own.items()) {
        CHECK(of_a_cause.count(key) == 1);
        merged[key] = text;
      }
      check_texts(merged);
    }
  }
}

TEST_CASE("no class replaces itself over others", "[rules]") {
  const auto classes = load_classes();
  for (const auto& [id, doc] : classes) {
    for (const auto& other : doc["replaces"]) {
      INFO(id << " replaces " << other);
      CHECK(classes.count(other) == 1);
    }
    Names seen;
    INFO(id);
    CHECK_FALSE(replaces(classes, id, id, seen));
  }
}

}  // namespace
