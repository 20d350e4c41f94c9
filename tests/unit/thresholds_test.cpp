// One test for each number of engine/thresholds.h: just below and at it.
#include "engine/thresholds.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "engine/choice.h"

namespace tfpm {
namespace {

constexpr std::int64_t kOrigin = 2, kOther = 3;

JobFacts job() {
  JobFacts facts;
  for (std::int64_t i = 1; i <= 3; ++i) {
    RunInfo r;
    r.worker = i;
    r.name = "worker-" + std::to_string(i - 1);
    r.type = "worker";
    r.ending = "victim";
    r.last_step = 8;
    r.has_log = true;
    r.leader = i == 1;
    facts.names[i] = r.name;
    facts.runs.push_back(r);
  }
  facts.steps[0] = {8, 8, 1};
  return facts;
}

Claim claim(const std::string& kind, const std::string& failure_class, std::int64_t worker,
            double db) {
  Claim c;
  c.rule = c.kind = kind;
  c.failure_class = failure_class;
  c.worker = worker;
  c.generation = 0;
  c.weight_db = db;
  return c;
}

ClassTable classes() {
  Result<ClassTable> table = load_class_table();
  REQUIRE(table.ok());
  return *table;
}

std::vector<Hypothesis> built(const std::vector<Claim>& claims) {
  return build_hypotheses(claims, job(), classes());
}

Choice chosen(const std::vector<Claim>& claims) {
  std::vector<Hypothesis> all = built(claims);
  return choose_verdict(all, job(), classes());
}

// An own word of `db` against a rival's on another task.
Choice margin_of(double db, double rival_db) {
  return chosen({claim("own-words", "user-exception", kOrigin, db),
                 claim("kernel", "oom-host", kOther, rival_db)});
}

}  // namespace

TEST_CASE("threshold: one item of 20 dB may answer, of 19 not") {
  CHECK(built({claim("a", "oom-host", kOrigin, threshold::kAnswerItemDb)})[0].may_answer());
  CHECK_FALSE(
      built({claim("a", "oom-host", kOrigin, threshold::kAnswerItemDb - 1)})[0].may_answer());
}

TEST_CASE("threshold: two kinds of 10 dB may answer, one of them less not") {
  const double db = threshold::kAnswerSecondItemDb;
  CHECK(built({claim("a", "oom-host", kOrigin, db), claim("b", "oom-host", kOrigin, db)})[0]
            .may_answer());
  CHECK_FALSE(
      built({claim("a", "oom-host", kOrigin, db), claim("b", "oom-host", kOrigin, db - 1)})[0]
          .may_answer());
}

TEST_CASE("threshold: a kind counts at most 40 dB, for and against") {
  CHECK(built({claim("a", "oom-host", kOrigin, 90)})[0].score_db == threshold::kKindCapDb);
  CHECK(built({claim("a", "oom-host", kOrigin, 30), claim("b", "oom-host", kOrigin, -90)})[0]
            .score_db == 30 - threshold::kKindCapDb);
}

TEST_CASE("threshold: an early end counts 5 dB until another kind has 10") {
  const Claim early = claim("ends-early", "silent-death", kOrigin, 25);
  const double almost = threshold::kCorroborationDb - 1;
  CHECK(built({early})[0].score_db == threshold::kUncorroboratedDb);
  CHECK(built({early, claim("list", "", kOrigin, almost)})[0].score_db ==
        threshold::kUncorroboratedDb + almost);
  CHECK(built({early, claim("list", "", kOrigin, threshold::kCorroborationDb)})[0].score_db ==
        25 + threshold::kCorroborationDb);
}

TEST_CASE("threshold: a margin of 10 dB decides, 9 do not") {
  CHECK(margin_of(35, 35 - threshold::kAnswerMarginDb).status == VerdictStatus::kExplained);
  CHECK(margin_of(35, 36 - threshold::kAnswerMarginDb).status == VerdictStatus::kUndetermined);
}

TEST_CASE("threshold: a margin of 30 dB establishes, 29 support") {
  CHECK(margin_of(40, 40 - threshold::kEstablishedMarginDb).confidence == "established");
  CHECK(margin_of(40, 41 - threshold::kEstablishedMarginDb).confidence == "supported");
}

TEST_CASE("threshold: an undetermined verdict names its best guess from 10 dB on") {
  CHECK(chosen({claim("odd-line", "hang-input", kOrigin, threshold::kNameOnlyDb)}).root >= 0);
  CHECK(chosen({claim("odd-line", "hang-input", kOrigin, threshold::kNameOnlyDb - 1)}).root < 0);
}

TEST_CASE("threshold: equal faults are one when their words differ by less than 10 dB") {
  const auto twins = [](double less) {
    std::vector<Claim> claims = {claim("own-words", "user-exception", kOrigin, 35),
                                 claim("own-words", "user-exception", kOther, 35 - less)};
    for (Claim& c : claims) c.cause = "valueerror";
    return built(claims).size();
  };
  CHECK(twins(threshold::kTwinsDb - 1) == 1);
  CHECK(twins(threshold::kTwinsDb) == 2);
}

}  // namespace tfpm
