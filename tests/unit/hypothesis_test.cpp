// Scores, gates and the choice of the verdict, from claims made by hand.
#include "engine/hypothesis.h"

#include <catch2/catch.hpp>

#include "engine/choice.h"

namespace tfpm {
namespace {

JobFacts job_of(int workers, std::int64_t last_step) {
  JobFacts facts;
  for (int i = 0; i < workers; ++i) {
    RunInfo r;
    r.worker = i + 1;
    r.name = "worker-" + std::to_string(i);
    r.type = "worker";
    r.ending = "victim";
    r.last_step = last_step;
    r.has_log = true;
    r.leader = i == 0;
    facts.names[r.worker] = r.name;
    facts.runs.push_back(r);
  }
  facts.steps[0] = {last_step, last_step, 1};
  return facts;
}

Claim claim(std::string kind, std::string failure_class, std::int64_t worker, double db) {
  Claim c;
  c.rule = kind;
  c.kind = std::move(kind);
  c.failure_class = std::move(failure_class);
  c.worker = worker;
  c.generation = 0;
  c.weight_db = db;
  c.summary = "because";
  return c;
}

ClassTable classes() {
  Result<ClassTable> table = load_class_table();
  REQUIRE(table.ok());
  return *table;
}

}  // namespace

TEST_CASE("one vote per kind, however often a symptom is repeated") {
  std::vector<Claim> claims = {
      claim("own-words", "user-exception", 2, 25), claim("own-words", "user-exception", 2, 25),
      claim("transport-witness", "", 2, 20), claim("transport-witness", "", 2, 20)};
  const auto all = build_hypotheses(claims, job_of(3, 16), classes());
  REQUIRE(all.size() == 1);
  CHECK(all[0].score_db == 45);
  CHECK(all[0].step_lo == 17);
  CHECK(all[0].step_hi == 17);
}

TEST_CASE("one item counts at most 40 dB") {
  std::vector<Claim> claims = {claim("kernel", "oom-host", 2, 90)};
  CHECK(build_hypotheses(claims, job_of(2, 5), classes())[0].score_db == 40);
}

TEST_CASE("G5: a log that ends early counts 5 dB until something else names the task") {
  std::vector<Claim> claims = {claim("ends-early", "silent-death", 2, 25)};
  auto all = build_hypotheses(claims, job_of(3, 16), classes());
  CHECK(all[0].score_db == 5);
  CHECK_FALSE(all[0].may_answer());
  claims.push_back(claim("transport-witness", "", 2, 20));
  all = build_hypotheses(claims, job_of(3, 16), classes());
  CHECK(all[0].score_db == 45);
  CHECK(all[0].may_answer());
}

TEST_CASE("G9: the kernel's word replaces silent death on the same task, not on another") {
  std::vector<Claim> claims = {
      claim("kernel", "oom-host", 2, 40), claim("ends-early", "silent-death", 2, 25),
      claim("transport-witness", "", 2, 20), claim("ends-early", "silent-death", 3, 25),
      claim("transport-witness", "", 3, 20)};
  const auto all = build_hypotheses(claims, job_of(4, 16), classes());
  for (const Hypothesis& h : all) {
    if (h.failure_class == "silent-death") CHECK(h.replaced == (h.workers[0] == 2));
  }
}

TEST_CASE("the same fault on two tasks at one step is one failure of both") {
  std::vector<Claim> claims = {claim("own-words", "user-exception", 2, 25),
                               claim("own-words", "user-exception", 3, 25)};
  for (Claim& c : claims) c.cause = "valueerror";
  const auto all = build_hypotheses(claims, job_of(4, 16), classes());
  REQUIRE(all.size() == 1);
  CHECK(all[0].workers == std::vector<std::int64_t>{2, 3});
  CHECK(all[0].score_db == 25);
}

TEST_CASE("the earlier root is the verdict although a later one scores higher") {
  std::vector<Claim> claims = {claim("loss", "nan", 2, 35),
                               claim("own-words", "user-exception", 1, 25),
                               claim("transport-witness", "", 1, 20)};
  claims[0].step_lo = claims[0].step_hi = 13;
  const JobFacts facts = job_of(3, 26);
  auto all = build_hypotheses(claims, facts, classes());
  const Choice choice = choose_verdict(all, facts, classes());
  REQUIRE(choice.root >= 0);
  CHECK(all[static_cast<std::size_t>(choice.root)].failure_class == "nan");
  CHECK(choice.status == VerdictStatus::kExplained);
  CHECK(choice.confidence == "established");
  for (const Hypothesis& h : all) {
    if (h.failure_class == "user-exception") CHECK(h.role == "independent");
  }
}

TEST_CASE("two rivals within 10 dB are not decided") {
  std::vector<Claim> claims = {claim("own-words", "user-exception", 2, 25),
                               claim("stack-outlier", "hang-input", 3, 30)};
  const JobFacts facts = job_of(3, 16);
  auto all = build_hypotheses(claims, facts, classes());
  const Choice choice = choose_verdict(all, facts, classes());
  CHECK(choice.status == VerdictStatus::kUndetermined);
  CHECK(choice.confidence == "hypothesis");
  CHECK(choice.tied.size() == 2);
}

TEST_CASE("a margin below 30 dB is supported, a cap keeps it there") {
  std::vector<Claim> claims = {claim("own-words", "user-exception", 2, 25)};
  const JobFacts facts = job_of(2, 16);
  auto all = build_hypotheses(claims, facts, classes());
  CHECK(choose_verdict(all, facts, classes()).confidence == "supported");
  claims[0].weight_db = 40;
  all = build_hypotheses(claims, facts, classes());
  CHECK(choose_verdict(all, facts, classes()).confidence == "established");
  claims[0].confidence_cap = "supported";
  all = build_hypotheses(claims, facts, classes());
  CHECK(choose_verdict(all, facts, classes()).confidence == "supported");
}

TEST_CASE("healthy needs tasks that ended well; established needs exits or final words") {
  JobFacts facts = job_of(3, 40);
  for (RunInfo& r : facts.runs) r.ending = "finished";
  std::vector<Hypothesis> none;
  CHECK(choose_verdict(none, facts, classes()).status == VerdictStatus::kHealthy);
  CHECK(choose_verdict(none, facts, classes()).confidence == "established");
  for (RunInfo& r : facts.runs) r.ending = "silent";
  CHECK(choose_verdict(none, facts, classes()).confidence == "supported");
  facts.runs[1].last_step = 12;
  CHECK(choose_verdict(none, facts, classes()).status == VerdictStatus::kUndetermined);
}

TEST_CASE("healthy is not established while evidence of some kind is known to be missing") {
  JobFacts facts = job_of(2, 16);
  for (RunInfo& r : facts.runs) r.ending = "finished";
  std::vector<Hypothesis> none;
  CHECK(choose_verdict(none, facts, classes()).confidence == "established");
  facts.unseen = {{"losses", "the loss of each step"}};
  const Choice choice = choose_verdict(none, facts, classes());
  CHECK(choice.status == VerdictStatus::kHealthy);
  CHECK(choice.confidence == "supported");
}

TEST_CASE("damage does not explain why a generation failed; a performance cause may") {
  std::vector<Claim> damage = {claim("remains-damage", "checkpoint-incomplete", 1, 40)};
  JobFacts facts = job_of(2, 30);
  for (RunInfo& r : facts.runs) r.ending = "cleaned-up";
  auto all = build_hypotheses(damage, facts, classes());
  CHECK(choose_verdict(all, facts, classes()).status == VerdictStatus::kUndetermined);
  std::vector<Claim> slow = {claim("late-calls", "ps-overloaded", 1, 35)};
  all = build_hypotheses(slow, facts, classes());
  CHECK(choose_verdict(all, facts, classes()).status == VerdictStatus::kExplained);
}

TEST_CASE("damage that nothing restored is the verdict only when nothing failed") {
  std::vector<Claim> claims = {claim("remains-damage", "checkpoint-corrupt", 1, 40)};
  claims[0].worker.reset();
  claims[0].group_key = "ckpt/ckpt-40";
  JobFacts facts = job_of(2, 40);
  for (RunInfo& r : facts.runs) r.ending = "finished";
  auto all = build_hypotheses(claims, facts, classes());
  Choice choice = choose_verdict(all, facts, classes());
  CHECK(all[static_cast<std::size_t>(choice.root)].failure_class == "checkpoint-corrupt");
  claims.push_back(claim("own-words", "user-exception", 2, 25));
  all = build_hypotheses(claims, facts, classes());
  choice = choose_verdict(all, facts, classes());
  CHECK(all[static_cast<std::size_t>(choice.root)].failure_class == "user-exception");
}

}  // namespace tfpm
