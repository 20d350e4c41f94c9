// Golden tests of all parsers: fixtures/parsers/NAME/CASE.in is read by parser NAME as a member
// called CASE; the rows and problems it emits must equal CASE.out. TFPM_UPDATE=1 rewrites
// the .out files. Every fixture is also read byte by byte and cut at every length: same
// rows, no crash.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "support/parse_text.h"

namespace fs = std::filesystem;

namespace tfpm {
namespace {

constexpr std::size_t kCutAtEveryByte = 6000;  // larger fixtures are cut at fewer places

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool updating() {
  const char* value = std::getenv("TFPM_UPDATE");
  return value != nullptr && std::strcmp(value, "1") == 0;
}

// Hostile cases need not be recognised, they must only be survived.
bool is_hostile(const fs::path& path) {
  return path.filename().string().find("hostile") != std::string::npos;
}

void check_recognised(const Parser& parser, const std::string& member, const std::string& text) {
  const std::string_view head = std::string_view(text).substr(0, kSniffBytes);
  const SniffInput input{member, {head.data(), head.size()}, head.size() == text.size()};
  const SniffScore own = parser.sniff(input);
  CHECK(own > kTextFallbackScore);
  for (const auto& other : make_all_parsers()) {
    INFO("rival " << other->name());
    if (other->name() != parser.name()) CHECK(other->sniff(input) < own);
  }
}

void check_case(const Parser& parser, const fs::path& in) {
  INFO(in.string());
  const std::string text = read_file(in);
  const std::string member = in.stem().string();
  const std::string rows = parse_to_text(parser, member, text);
  const fs::path out = fs::path(in).replace_extension(".out");
  if (updating()) {
    std::ofstream(out, std::ios::binary) << rows;
  } else {
    CHECK(rows == read_file(out));
  }
  if (!is_hostile(in)) check_recognised(parser, member, text);
  CHECK(parse_to_text(parser, member, text, 1) == rows);
  const std::size_t stride = text.size() / kCutAtEveryByte + 1;
  for (std::size_t cut = 0; cut < text.size(); cut += stride) {
    parse_to_text(parser, member, text.substr(0, cut));
  }
}

}  // namespace

TEST_CASE("parsers give the recorded rows") {
  std::map<std::string, std::unique_ptr<Parser>> parsers;
  for (auto& parser : make_all_parsers()) {
    std::string name(parser->name());
    std::replace(name.begin(), name.end(), '-', '_');
    parsers[name] = std::move(parser);
  }
  std::map<std::string, int> cases;
  for (const auto& folder :
       fs::directory_iterator(fs::path(TFPM_SOURCE_DIR) / "fixtures/parsers")) {
    const std::string name = folder.path().filename().string();
    INFO(name);
    REQUIRE(parsers.count(name) == 1);
    for (const auto& file : fs::directory_iterator(folder)) {
      if (file.path().extension() != ".in") continue;
      ++cases[name];
      check_case(*parsers[name], file.path());
    }
  }
  for (const auto& [name, parser] : parsers) {
    // Checkpoints are sets of binary files; their tests write them (tests/unit).
    if (name.rfind("checkpoint", 0) == 0) continue;
    INFO("parser without a fixture: " << name);
    CHECK(cases[name] > 0);
  }
}

}  // namespace tfpm
