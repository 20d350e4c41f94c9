#include "ingest/matcher.h"

#include <catch2/catch.hpp>

#include "ingest/verdict_memo.h"

namespace tfpm {
namespace {

Signature signature(std::string id, std::vector<SignaturePattern> patterns) {
  Signature out;
  out.id = std::move(id);
  out.patterns = std::move(patterns);
  return out;
}

std::vector<Signature> three_signatures() {
  return {signature("closed", {{"Socket closed", "Socket closed"},
                               {"target /job:(?P<job>\\w+)/task:(?P<peer>\\d+)", "target /job:"}}),
          signature("code", {{"exit code 137", "exit code 137"}}),
          signature("step", {{"step (?P<step>[0-9]+) is bad", " is bad"}})};
}

std::vector<std::uint32_t> patterns_of(const std::vector<LiteralHit>& hits) {
  std::vector<std::uint32_t> out;
  for (const LiteralHit& hit : hits) out.push_back(hit.pattern);
  return out;
}

}  // namespace

TEST_CASE("literals are found in order of their end, extra ones behind the patterns") {
  const std::array<std::string_view, 1> extra = {"needle"};
  const auto matcher = Matcher::compile(three_signatures(), extra);
  REQUIRE(matcher.ok());
  Matcher::Scratch scratch(*matcher);
  std::vector<LiteralHit> hits;
  REQUIRE(matcher->scan("a needle, Socket closed, exit code 137", scratch, hits).ok());
  REQUIRE(hits.size() == 3);
  CHECK(hits[0].pattern == matcher->pattern_count());
  CHECK(hits[0].end == 8);
  CHECK(matcher->signature_of(hits[1].pattern) == 0);
  CHECK(matcher->signature_of(hits[2].pattern) == 1);
}

TEST_CASE("a hit is confirmed with the captures of all matching patterns") {
  const auto matcher = Matcher::compile(three_signatures());
  REQUIRE(matcher.ok());
  Matcher::Scratch scratch(*matcher);
  std::vector<LiteralHit> hits;
  const std::string_view text = "UNAVAILABLE: Socket closed from target /job:worker/task:12";
  REQUIRE(matcher->scan(text, scratch, hits).ok());
  std::vector<SignatureMatch> matches;
  matcher->confirm(text, patterns_of(hits), true, matches);
  REQUIRE(matches.size() == 1);
  CHECK(matches[0].begin == 13);
  CHECK(matches[0].captures ==
        std::vector<std::pair<std::string, std::string>>{{"job", "worker"}, {"peer", "12"}});
  matcher->confirm("nothing of the kind", patterns_of(hits), true, matches);
  CHECK(matches.empty());
}

TEST_CASE("bytes that are no UTF-8 do not hide a match") {
  const auto matcher = Matcher::compile(three_signatures());
  REQUIRE(matcher.ok());
  std::vector<SignatureMatch> matches;
  const std::vector<std::uint32_t> all = {0, 1, 2, 3};
  matcher->confirm("\xff\xfe Socket closed \x80", all, false, matches);
  REQUIRE(matches.size() == 1);
}

TEST_CASE("digits matter only where an expression asks for certain ones") {
  CHECK(ignores_digit_values("step (?P<n>\\d+) of [0-9]{2,6}"));
  CHECK(ignores_digit_values("loss: nan"));
  CHECK_FALSE(ignores_digit_values("exit code 137"));
  CHECK_FALSE(ignores_digit_values("[1-9]\\d*"));
  CHECK_FALSE(ignores_digit_values("\\x31"));
}

TEST_CASE("the memo gives the verdict of the expressions") {
  const auto matcher = Matcher::compile(three_signatures());
  REQUIRE(matcher.ok());
  VerdictMemo memo(*matcher);
  const std::vector<std::uint32_t> step = {3};
  CHECK(memo.judge("step 12 is bad", step) == SignatureSet{2});
  CHECK(memo.judge("step 77 is bad", step) == SignatureSet{2});
  CHECK(memo.judge("step xx is bad", step).empty());
  const std::vector<std::uint32_t> code = {2};
  CHECK(memo.judge("exit code 137", code) == SignatureSet{1});
  CHECK(memo.judge("exit code 139", code).empty());
}

// Eight patterns of one literal: more than are tried one by one.
TEST_CASE("patterns that share a literal are judged together as they are alone") {
  std::vector<Signature> signatures;
  for (const std::string& re :
       {std::string("CUDA_ERROR_OOM"), std::string("CUDA_ERROR_[A-Z]+$"),
        std::string("^CUDA_ERROR"), std::string("(?P<n>\\d+) CUDA_ERROR"),
        std::string("CUDA_ERROR.*retry"), std::string("CUDA_ERROR_X|CUDA_ERROR_OOM: "),
        std::string("no CUDA_ERROR"), std::string("CUDA_ERROR_")}) {
    signatures.push_back(signature("s" + std::to_string(signatures.size()), {{re, "CUDA_ERROR"}}));
  }
  // A second pattern of a signature that is judged already adds nothing.
  signatures[0].patterns.push_back({"CUDA_ERROR_OOM: out", "CUDA_ERROR"});
  const auto matcher = Matcher::compile(signatures);
  REQUIRE(matcher.ok());
  Matcher::Scratch scratch(*matcher);
  for (const std::string_view text :
       {"CUDA_ERROR_OOM", "12 CUDA_ERROR_OOM: out of memory, retry", "there is no CUDA_ERROR",
        "\xff CUDA_ERROR_X", "CUDA_ERROR CUDA_ERROR_Y\nretry"}) {
    std::vector<LiteralHit> hits;
    REQUIRE(matcher->scan(text, scratch, hits).ok());
    std::vector<SignatureMatch> alone;
    matcher->confirm(text, patterns_of(hits), false, alone);
    std::vector<std::uint32_t> expected;
    for (const SignatureMatch& match : alone) expected.push_back(match.signature);
    std::vector<std::uint32_t> together;
    matcher->judge(text, patterns_of(hits), together);
    CHECK_FALSE(expected.empty());
    CHECK(together == expected);
  }
}

}  // namespace tfpm
