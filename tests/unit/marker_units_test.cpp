// Samples, tokens, percent; edges of lines; the step's own time (algorithms.md section 1.9).
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "align/epoch_size.h"
#include "marker_bench.h"

namespace tfpm::test {
namespace {

Printer line(std::function<std::string(const StepFacts&)> text) {
  return [text](const StepFacts& f, Lines& out) { out.push_back(text(f)); };
}

Printer with_checkpoints(std::function<std::string(const StepFacts&)> text) {
  return [text](const StepFacts& f, Lines& out) {
    out.push_back(text(f));
    if (f.step % 10 == 0) out.push_back(fmt::format("Saved checkpoint /srv/out/ckpt-{}", f.step));
  };
}

std::string samples(const StepFacts& f) {
  return fmt::format("samples_seen={} loss={}", f.step * 64, text_of(f.loss));
}

}  // namespace

TEST_CASE("samples order, and number steps where checkpoints anchor them") {
  const Run run;
  const Chosen ordered = print_and_choose(run, {}, line(samples));
  CHECK(ordered.unit == "samples");
  REQUIRE(ordered.tasks[0].size() == 40);
  CHECK(ordered.tasks[0][1].step == 128);
  const Chosen numbered = print_and_choose(run, {}, with_checkpoints(samples));
  CHECK(numbered.unit == "step");
  CHECK(difference(run, numbered) == "");
}

TEST_CASE("tokens and percent are anchored too") {
  const Run run;
  CHECK(difference(run, print_and_choose(run, {}, with_checkpoints([](const StepFacts& f) {
                                           return fmt::format("{} tokens processed, nll {}",
                                                              f.step * 32768, text_of(f.loss));
                                         }))) == "");
  CHECK(difference(run, print_and_choose(run, {}, with_checkpoints([](const StepFacts& f) {
                                           return fmt::format("progress {:.1f}% loss {}",
                                                              f.step * 2.5, text_of(f.loss));
                                         }))) == "");
}

TEST_CASE("a period nobody tells orders without numbering") {
  const Run run;
  const Chosen chosen = print_and_choose(run, {}, [](const StepFacts& f, Lines& out) {
    if (f.batch % 5 == 0)
      out.push_back(fmt::format("epoch {} batch {} loss {}", f.epoch, f.batch, text_of(f.loss)));
  });
  CHECK(chosen.unit == "epoch");
  CHECK(chosen.tasks[0].size() == 8);
}

TEST_CASE("saved checkpoints tell the period that no line tells") {
  Run run;
  run.per_epoch = 13;
  run.steps = 52;
  const Chosen chosen = print_and_choose(run, {}, [](const StepFacts& f, Lines& out) {
    if (f.batch % 5 == 0)
      out.push_back(fmt::format("epoch {} batch {} loss {}", f.epoch, f.batch, text_of(f.loss)));
    if (f.step % 10 == 0) out.push_back(fmt::format("Saved checkpoint /srv/out/ckpt-{}", f.step));
  });
  CHECK(chosen.unit == "step");
  std::vector<std::int64_t> steps;
  for (const Marker& m : chosen.tasks[0]) steps.push_back(m.step);
  CHECK(steps == std::vector<std::int64_t>{5, 10, 18, 23, 31, 36, 44, 49});
}

TEST_CASE("a line that closes an epoch numbers it by its steps") {
  Run run;
  run.per_epoch = 5;
  const Chosen chosen = print_and_choose(run, {}, [](const StepFacts& f, Lines& out) {
    if (f.batch == 1) out.push_back(fmt::format("Epoch {}/8", f.epoch));
    if (f.batch == f.per_epoch)
      out.push_back(
          fmt::format("5/5 - 1s - {}ms/step - loss: {}", 60 + f.step % 9, text_of(f.loss)));
  });
  CHECK(chosen.unit == "step");
  REQUIRE(chosen.tasks[0].size() == 8);
  CHECK(chosen.tasks[0][2].step == 15);
  CHECK(chosen.tasks[0][2].loss == true_loss(run, 0, 15));
}

TEST_CASE("the size of an epoch is what most samples agree on, or unknown") {
  // Markers every 5 of 13; steps as an event file numbers them, one of them wrong.
  std::vector<EpochSample> samples;
  for (int step = 1; step <= 52; ++step) {
    const int epoch = (step - 1) / 13, shown = ((step - 1) % 13 + 1) / 5 * 5;
    const bool last = shown == 10;
    samples.push_back({double(epoch), double(shown), double(last ? epoch + 1 : epoch),
                       double(last ? 5 : shown + 5), double(step)});
  }
  samples[30].step = 400;
  CHECK(solve_epoch_size(samples, 10) == std::optional<double>(13));
  CHECK(solve_epoch_size({}, 10) == std::nullopt);
  // Numbers of epochs, not of steps.
  for (EpochSample& s : samples) s.step = s.epoch;
  CHECK(solve_epoch_size(samples, 10) == std::nullopt);
  // Only the first epoch is over: two sizes fit.
  CHECK(solve_epoch_size({{1, 5, 1, 10, 20}, {1, 5, 1, 10, 21}}, 10) == std::nullopt);
}

TEST_CASE("Keras' bars show means; the batches come out of them") {
  const Run run;
  double sum = 0;
  const Chosen chosen = print_and_choose(run, {}, [&](const StepFacts& f, Lines& out) {
    if (f.batch == 1) sum = 0;
    sum += f.loss;
    if (f.batch == 1) out.push_back(fmt::format("Epoch {}/4", f.epoch));
    const std::string done(static_cast<std::size_t>(2 * f.batch), '=');
    const std::string left(static_cast<std::size_t>(20 - 2 * f.batch), '.');
    out.push_back(fmt::format("\r{:2}/10 [{}>{}] - ETA: {}s - loss: {:.4f}", f.batch, done, left,
                              10 - f.batch, sum / f.batch));
  });
  REQUIRE(chosen.tasks[0].size() == 40);
  for (std::size_t i = 0; i < 40; ++i) {
    const Marker& m = chosen.tasks[0][i];
    REQUIRE(m.batch_loss.has_value());
    CHECK(*m.batch_loss == Approx(true_loss(run, 0, static_cast<int>(i) + 1)).margin(2e-3));
  }
}

TEST_CASE("a metric in the line closes the step, a begin word opens it") {
  const Run run;
  CHECK(print_and_choose(run, {}, line([](const StepFacts& f) {
                           return fmt::format("step {} loss {}", f.step, text_of(f.loss));
                         }))
            .edge == "end");
  const Chosen begun = print_and_choose(
      run, {}, line([](const StepFacts& f) { return fmt::format("starting step {}", f.step); }));
  CHECK(begun.edge == "begin");
  CHECK(difference(run, begun, false) == "");
  CHECK(print_and_choose(
            run, {}, line([](const StepFacts& f) { return fmt::format("step {} done", f.step); }))
            .edge == "end");
}

TEST_CASE("the step's own time is read with its unit") {
  const Run run;
  const auto own_time = [&](std::function<std::string(const StepFacts&)> text) {
    const Chosen chosen = print_and_choose(run, {}, line(std::move(text)));
    if (chosen.tasks[0].size() < 7) return std::int64_t{-1};
    return chosen.tasks[0][6].step_time_us.value_or(-2);
  };
  CHECK(own_time([](const StepFacts& f) {
          return fmt::format("step {} loss {} step_time_ms {}.5", f.step, text_of(f.loss),
                             100 + f.step);
        }) == 107500);
  CHECK(own_time([](const StepFacts& f) {
          return fmt::format("step {} loss {} 0.{} sec/step", f.step, text_of(f.loss),
                             100 + f.step);
        }) == 107000);
  CHECK(own_time([](const StepFacts& f) {
          return fmt::format("step {} - {}ms/step - loss: {}", f.step, 100 + f.step,
                             text_of(f.loss));
        }) == 107000);
  CHECK(own_time([](const StepFacts& f) {
          return fmt::format("iter {} | iter time: 0.{}s | loss {} | eta {}s", f.step, 100 + f.step,
                             text_of(f.loss), 90 - f.step);
        }) == 107000);
  CHECK(own_time([](const StepFacts& f) {
          return fmt::format("step {} loss {} elapsed {}.5", f.step, text_of(f.loss), 100 + f.step);
        }) == -2);
}

TEST_CASE("every fifth step and a resumed run keep their numbers") {
  Run run;
  run.first_step = 21;
  run.steps = 60;
  const Chosen resumed =
      print_and_choose(run, {"restored global step 20"}, line([](const StepFacts& f) {
                         return fmt::format("step {} loss {}", f.step, text_of(f.loss));
                       }));
  CHECK(difference(run, resumed) == "");
  const Chosen sparse = print_and_choose(run, {}, [](const StepFacts& f, Lines& out) {
    if (f.step % 5 == 0) out.push_back(fmt::format("it {} cost {}", f.step, text_of(f.loss)));
  });
  REQUIRE(sparse.tasks[0].size() == 8);
  CHECK(sparse.tasks[0][0].step == 25);
  CHECK(sparse.tasks[0][7].step == 60);
}

TEST_CASE("a few lines that all tasks print alike are steps, those of one task alone are not") {
  Run run;
  run.steps = 15;
  const Printer every_fifth = [](const StepFacts& f, Lines& out) {
    if (f.step % 5 == 0) out.push_back(fmt::format("step {} loss {}", f.step, text_of(f.loss)));
  };
  const Chosen together = print_and_choose(run, {}, every_fifth);
  REQUIRE(together.tasks.size() > 1);
  for (const auto& task : together.tasks) {
    REQUIRE(task.size() == 3);
    CHECK(task[0].step == 5);
    CHECK(task[2].step == 15);
  }
  run.tasks = 1;
  CHECK(print_and_choose(run, {}, every_fifth).tasks[0].empty());
}

TEST_CASE("a missing value is no NaN") {
  const Run run;
  const Chosen chosen =
      print_and_choose(run, {}, line([](const StepFacts& f) {
                         const bool missing = f.step % 7 == 0;
                         return fmt::format(R"({{"step": {}, "loss": {}}})", f.step,
                                            missing ? "null" : text_of(f.loss));
                       }));
  REQUIRE(chosen.tasks[0].size() == 40);
  CHECK_FALSE(chosen.tasks[0][6].loss.has_value());
  CHECK(chosen.tasks[0][7].loss.has_value());
}

TEST_CASE("the user's declaration replaces what would be learned") {
  std::vector<Lines> logs(2);
  for (Lines& lines : logs)
    for (int i = 1; i <= 12; ++i) {
      lines.push_back(fmt::format("step {} loss 0.{}", i, 100 + i));
      lines.push_back(fmt::format("pass {} of the outer loop, cost so far 1.{}", i * 3, 200 + i));
    }
  const Chosen chosen =
      choose(logs, true, {{R"(pass (?P<step>\d+) .*cost so far (?P<loss>\S+))", "begin"}});
  REQUIRE(chosen.tasks[0].size() == 12);
  CHECK(chosen.tasks[0][1].step == 6);
  CHECK(*chosen.tasks[0][1].loss == 1.202);
  CHECK(chosen.edge == "begin");
  CHECK(chosen.sure);
}

}  // namespace tfpm::test
