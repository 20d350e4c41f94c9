// The learner's parts: numbers, names, layouts, thinning.
#include "ingest/learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>

#include "base/log_words.h"
#include "base/slot_names.h"
#include "ingest/form.h"
#include "ingest/layout.h"
#include "ingest/number.h"
#include "ingest/slots.h"

namespace tfpm {
namespace {

std::vector<Token> tokens_of(const std::string& text) {
  std::vector<Token> tokens;
  find_tokens(text, tokens);
  return tokens;
}

std::vector<Token> slots_of(const std::string& text) {
  std::vector<Token> slots;
  for (const Token& t : tokens_of(text))
    if (t.is_slot()) slots.push_back(t);
  return slots;
}

std::vector<double> values_of(const std::string& text) {
  std::vector<double> values;
  for (const Token& t : slots_of(text)) values.push_back(t.value);
  return values;
}

std::vector<std::string> names_of(const std::string& text) {
  const std::vector<Token> tokens = tokens_of(text);
  std::vector<SlotFacts> facts;
  for (const Token& t : tokens)
    if (t.is_slot()) facts.push_back({t.value == std::floor(t.value), true, "", false});
  std::vector<std::string> keys;
  for (const SlotName& n : name_slots(template_pieces(text, tokens), facts)) keys.push_back(n.key);
  return keys;
}

StreamSeries learn(const std::vector<std::string>& lines) {
  SeriesLearner learner;
  std::uint64_t offset = 0, number = 0;
  for (const std::string& line : lines) {
    LearnerRecord record;
    record.seq = offset;
    record.line = ++number;
    record.text = line;
    learner.add(record);
    offset += line.size() + 1;
  }
  return learner.take();
}

}  // namespace

TEST_CASE("numbers are exact") {
  CHECK(number_value("0.531246") == 0.531246);
  CHECK(number_value("-12") == -12);
  CHECK(number_value("1.00e-04") == 1e-4);
  CHECK(number_value("8.0465660095214844") == 8.0465660095214844);
  CHECK(number_value("123456789012345678901234567890") == 123456789012345678901234567890.0);
  CHECK(number_value("1e999") == HUGE_VAL);
  CHECK(duration_at("1h02m")->seconds == 3720);
  CHECK(duration_at("118ms/step")->seconds == Approx(0.118));
  CHECK_FALSE(duration_at("12it"));
}

TEST_CASE("what is a number and what is not") {
  CHECK(values_of("step 12 l2=0.5 top5_err 0.25") == std::vector<double>{12, 0.5, 0.25});
  CHECK(values_of("2026-03-05 14:05:42 at 10.0.0.7:2222 v2.21.0 deadbeef12") ==
        std::vector<double>{2222});
  CHECK(values_of("ts=1772719542.91 n=3") == std::vector<double>{3});
  CHECK(values_of("1,200 of 10_000, 12'345") == std::vector<double>{1200, 10000, 12345});
  CHECK(values_of("12,0.512,0.01") == std::vector<double>{12, 0.512, 0.01});
  CHECK(values_of("0x1f at 0x7f0012345678") == std::vector<double>{31});
  CHECK(values_of("1.2k tokens, 64MB") == std::vector<double>{});
  CHECK(values_of("loss -0.5 and +3") == std::vector<double>{-0.5, 3});
  CHECK(values_of("a-1 b -1") == std::vector<double>{1, -1});
  CHECK(values_of("  12%|#2        | 12/100 [00:10<01:15,  1.17it/s]") ==
        std::vector<double>{12, 12, 100, 1.17});
  const std::vector<double> odd = values_of("loss nan loss_inf x=-inf infinite nan_grads=0");
  REQUIRE(odd.size() == 4);
  CHECK(std::isnan(odd[0]));
  CHECK(odd[1] == HUGE_VAL);
  CHECK(odd[2] == -HUGE_VAL);
  CHECK(odd[3] == 0);
  CHECK(values_of("誤差はnanです").size() == 1);
  CHECK(values_of("损失nan，步3").size() == 2);
  CHECK(values_of("nañ nanò").empty());
  REQUIRE(slots_of(R"({"loss": null, "step": 3})").size() == 2);
  CHECK(slots_of(R"({"loss": null})")[0].kind == TokenKind::kMissing);
}

TEST_CASE("names come from before, else from behind") {
  using Names = std::vector<std::string>;
  CHECK(names_of("step 12 loss 0.5") == Names{"step", "loss"});
  CHECK(names_of("[ep 3] 0.512 after 12 updates") == Names{"ep", "", "updates"});
  CHECK(names_of("12 steps 640 samples 0.51 loss") == Names{"steps", "samples", "loss"});
  CHECK(names_of("step 12 val loss 0.5") == Names{"step", "val loss"});
  CHECK(names_of("samples seen 640") == Names{"samples seen"});
  CHECK(names_of("step time 0.25") == Names{"step time"});
  CHECK(names_of("the loss amounts to 0.5") == Names{"loss"});
  CHECK(names_of("step size 0.1") == Names{"size"});
  CHECK(judge_key("step_time_ms").quantity == Quantity::kStepTime);
  CHECK(judge_key("step_time_ms").unit_seconds == 1e-3);
  CHECK(judge_key("examples/sec").quantity == Quantity::kRate);
  CHECK(judge_key("train/loss").quantity == Quantity::kLoss);
  CHECK(judge_key("val_loss").quantity == Quantity::kOther);
  CHECK(judge_key("loss_scale").quantity == Quantity::kOther);
  CHECK(judge_key("globalStep").quantity == Quantity::kStep);
  CHECK(judge_key("num_batches_seen").quantity == Quantity::kStep);
  CHECK(judge_key("Trainingsschritt").quantity == Quantity::kStep);
  CHECK(judge_key("ПОТЕРИ").quantity == Quantity::kLoss);
  CHECK(judge_key("zork").quantity == Quantity::kUnknown);
}

// Whatever the digits are: a record read through the layout or the form of another one gives what
// the exact reading gives.
TEST_CASE("layouts and forms read what the exact reading reads") {
  std::mt19937 random(7);
  const std::vector<std::string> shapes = {
      "step # loss #.#",       "#/# [==>..] - ETA: #s - loss: #.#e-#",
      "[#:#:#] it=#,# v#.#.#", "#-#-# #,# | 0x#f | #%| #h#m",
      "a# b_# c-#: #_#_# #'#", "#,#,#.#,#",
      "t#x# #it/s #.#"};
  LayoutCache layouts;
  Skeleton skeleton;
  std::map<std::uint64_t, Form> forms;
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (const char c : shapes[random() % shapes.size()]) {
      if (c != '#') {
        text += c;
        continue;
      }
      const std::size_t digits = 1 + random() % (random() % 8 == 0 ? 11 : 4);
      for (std::size_t i = 0; i < digits; ++i) text += static_cast<char>('0' + random() % 10);
    }
    REQUIRE(make_skeleton(text, skeleton));
    const std::vector<Token> exact = slots_of(text);
    auto it = forms.find(skeleton.hash);
    if (it == forms.end()) {
      it = forms.emplace(skeleton.hash, Form()).first;
      bind_tokens(text, skeleton, tokens_of(text), it->second);
    }
    const Layout* layout = layouts.find(text);
    if (layout == nullptr) layout = &layouts.add(text, skeleton, it->second);
    INFO(text);
    // Digits may tip the exact reading (10 digits that are no time, 12:75): then the form wins.
    if (it->second.slots.size() != exact.size()) continue;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      CHECK(read_token(text, skeleton, it->second.slots[i]).value == exact[i].value);
      CHECK(read_slot(text, layout->slots[i]).value == exact[i].value);
    }
  }
}

TEST_CASE("long series keep their tail, their extremes and what led to the first NaN") {
  std::vector<std::string> lines;
  for (int i = 1; i <= 60000; ++i) {
    const bool nan = i >= 20000 && i < 20010;
    const double loss = i == 9001 ? 99.5 : 1.0 + 0.001 * (i % 100);
    lines.push_back(fmt::format("step {} loss {}", i, nan ? "nan" : fmt::format("{:.3f}", loss)));
  }
  const StreamSeries series = learn(lines);
  REQUIRE(series.templates.size() == 1);
  const TemplateSeries& t = series.templates[0];
  CHECK(t.records == 60000);
  CHECK(t.seq.size() < 8000);
  const std::vector<double>& steps = t.slots[0].values;
  REQUIRE(steps.size() == t.seq.size());
  CHECK(steps.front() == 1);
  CHECK(steps.back() == 60000);
  CHECK(steps[t.tail] <= 58001);
  for (std::size_t i = t.tail + 1; i < steps.size(); ++i) REQUIRE(steps[i] == steps[i - 1] + 1);
  const auto row_of = [&](double step) {
    return static_cast<std::size_t>(std::find(steps.begin(), steps.end(), step) - steps.begin());
  };
  REQUIRE(row_of(9001) < steps.size());
  CHECK(t.slots[1].values[row_of(9001)] == 99.5);
  for (int step = 19800; step <= 20000; ++step) REQUIRE(row_of(step) < steps.size());
  CHECK(std::isnan(t.slots[1].values[row_of(20000)]));
}

TEST_CASE("text without meaning is forgotten and memory stays bounded") {
  std::vector<std::string> lines;
  for (int i = 0; i < 20000; ++i)
    lines.push_back(
        fmt::format("{}{} request {} failed", static_cast<char>('a' + i % 26), i * 7919, i));
  for (int i = 0; i < 500; ++i)
    lines.push_back(fmt::format("Channel {} via {}", i * 37 % 11, i * 13 % 7));
  const StreamSeries series = learn(lines);
  CHECK(series.templates.size() <= kMaxTemplates);
  for (const TemplateSeries& t : series.templates) CHECK(t.text != "Channel # via #");
}

TEST_CASE("decimal commas and thousands are told apart by the slot's values") {
  std::vector<std::string> lines;
  for (int i = 1; i <= 20; ++i)
    lines.push_back(fmt::format("Schritt {} Verlust {},{:03}", i, i % 3, 100 + i));
  const StreamSeries series = learn(lines);
  REQUIRE(series.templates.size() == 1);
  CHECK(series.templates[0].slots[1].values[0] == 1.101);
  CHECK(series.templates[0].slots[1].values[2] == 0.103);
}

}  // namespace tfpm
