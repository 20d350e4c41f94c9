// What happens to an analysis when evidence is cut or cannot be read to its end.
#include <catch2/catch.hpp>

#include "fault_bundle.h"

namespace tfpm::test {
namespace {

// Diagnosing and rendering takes longer than reading; done at every so many bytes.
constexpr std::size_t kDiagnoseEvery = 37;

}  // namespace

TEST_CASE("the undamaged job is explained") {
  const auto files = small_job();
  FaultBundle bundle(files, {});
  const Outcome out = FaultRunner().diagnose(bundle);
  CHECK_FALSE(out.evidence_lost);
  CHECK(out.findings_json.find("\"user-exception\"") != std::string::npos);
}

TEST_CASE("members cut at every byte never end an analysis") {
  const auto files = small_job();
  FaultRunner runner;
  std::size_t n = 0;
  for (const auto& [path, bytes] : files) {
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      CAPTURE(path, at);
      FaultBundle bundle(files, {path, at, false});
      ++n % kDiagnoseEvery == 0 ? runner.diagnose(bundle) : runner.read(bundle);
    }
  }
}

TEST_CASE("a read error in the middle keeps what came before and is reported") {
  const auto files = small_job();
  FaultRunner runner;
  std::size_t n = 0;
  for (const auto& [path, bytes] : files) {
    for (std::size_t at = 0; at <= bytes.size(); at += 13) {
      CAPTURE(path, at);
      FaultBundle bundle(files, {path, at, true});
      const Outcome out = ++n % kDiagnoseEvery == 0 ? runner.diagnose(bundle) : runner.read(bundle);
      REQUIRE(out.evidence_lost);
      REQUIRE(out.problems > 0);
    }
  }
}

}  // namespace tfpm::test
