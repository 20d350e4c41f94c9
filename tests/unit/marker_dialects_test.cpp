// One run in many dialects: steps and losses must come out the same (algorithms.md section 1.9).
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "marker_bench.h"

namespace tfpm::test {
namespace {

struct Dialect {
  const char* name;
  Printer print;
  Lines preamble = {};
  int base = 0;  // printed number of the first step less one
};

std::string f4(double v) {
  return text_of(v);
}
std::string exponent(double v) {
  return std::isnan(v) ? "nan" : fmt::format("{:.4e}", v);
}
std::string comma(double v) {
  std::string s = f4(v);
  const auto point = s.find('.');
  if (point != std::string::npos) s[point] = ',';
  return s;
}
std::string grouped(int v) {
  return v < 1000 ? fmt::format("{}", v) : fmt::format("{},{:03}", v / 1000, v % 1000);
}
Printer line(std::function<std::string(const StepFacts&)> text) {
  return [text](const StepFacts& f, Lines& out) { out.push_back(text(f)); };
}
std::string bar(int done, int total, char full, char head, char empty, int width = 20) {
  const int n = done * width / total;
  std::string s(static_cast<std::size_t>(n), full);
  if (n < width) s += head;
  s.resize(static_cast<std::size_t>(width), empty);
  return s;
}

const std::vector<Dialect>& english() {
  static const std::vector<Dialect> list = {
      {"range", line([](const StepFacts& f) {
         return fmt::format("iter {}-{}: loss {}", f.step - 1, f.step, f4(f.loss));
       })},
      {"blank separated", line([](const StepFacts& f) {
         return fmt::format("step {} loss {} lr 0.01 examples/sec 160.0", f.step, f4(f.loss));
       })},
      {"equals", line([](const StepFacts& f) {
         return fmt::format("global_step={} loss={}", f.step, f4(f.loss));
       })},
      {"batch of", line([](const StepFacts& f) {
         return fmt::format("batch {} of {}, cost {}", f.step, f.steps, f4(f.loss));
       })},
      {"padded updates", line([](const StepFacts& f) {
         return fmt::format(">> upd={:04} xent:{} gnorm:{:.1f}", f.step, exponent(f.loss),
                            1.0 + f.step % 3);
       })},
      {"after updates", line([](const StepFacts& f) {
         return fmt::format("[ep {}] {} after {} updates", f.epoch, f4(f.loss), f.step);
       })},
      {"loss first", line([](const StepFacts& f) {
         return fmt::format("loss = {}, step = {} (0.{:03} sec)", f4(f.loss), f.step, 100 + f.step);
       })},
      {"units behind", line([](const StepFacts& f) {
         return fmt::format("{} steps {} samples {} loss", f.step, f.step * 64, f4(f.loss));
       })},
      {"pipes", line([](const StepFacts& f) {
         return fmt::format("Step {}/{} ({:.1f}%) | loss {} | 1.{} it/s | eta 0:0{}:10", f.step,
                            f.steps, 100.0 * f.step / f.steps, f4(f.loss), f.step % 7, f.step % 6);
       })},
      {"rates", line([](const StepFacts& f) {
         return fmt::format("[worker {}] global_step {}: loss={}, 0.{:03} sec/step", f.task, f.step,
                            f4(f.loss), 400 + f.step % 9);
       })},
      {"json", line([](const StepFacts& f) {
         return fmt::format(
             R"({{"ts": 17727195{:02}.91, "level": "INFO", "step": {}, "loss": {}}})", f.step,
             f.step, std::isnan(f.loss) ? "NaN" : f4(f.loss));
       })},
      {"nested json", line([](const StepFacts& f) {
         return fmt::format(R"({{"event":"train","metrics":{{"loss":{},"acc":0.{}}},"iter":{}}})",
                            std::isnan(f.loss) ? "NaN" : f4(f.loss), 10 + f.step, f.step);
       })},
      {"logfmt", line([](const StepFacts& f) {
         return fmt::format("level=info iteration={} train_loss={} grad_norm=1.{}", f.step,
                            f4(f.loss), f.step % 10);
       })},
      {"brackets", line([](const StepFacts& f) {
         return fmt::format("Iter [{}/{}]: Loss: {} (avg: 2.{})", f.step, f.steps, f4(f.loss),
                            f.step);
       })},
      {"glued", line([](const StepFacts& f) {
         return fmt::format("it{:06} loss{} dt0.{}", f.step, f4(f.loss), 10 + f.step % 5);
       })},
      {"single letters",
       line([](const StepFacts& f) { return fmt::format("i={} l={}", f.step, f4(f.loss)); })},
      {"tensors", line([](const StepFacts& f) {
         return fmt::format(
             "step tf.Tensor({}, shape=(), dtype=int64) loss tf.Tensor({}, shape=(), "
             "dtype=float32)",
             f.step, f4(f.loss));
       })},
      {"numpy", line([](const StepFacts& f) {
         return fmt::format("step: {} loss: np.float32({})", f.step, f4(f.loss));
       })},
      {"orbit", line([](const StepFacts& f) {
         return fmt::format("train | step: {:6} | steps/sec: {:6.1f} | output: {{'loss': {}}}",
                            f.step, 3.0 + f.step % 4, f4(f.loss));
       })},
      {"arrow",
       line([](const StepFacts& f) { return fmt::format("#{} -> {}", f.step, f4(f.loss)); })},
      {"semicolons", line([](const StepFacts& f) {
         return fmt::format("update {}; objective {}; lr 1.0e-0{}", f.step, f4(f.loss), 3);
       })},
      {"hex", line([](const StepFacts& f) {
         return fmt::format("step 0x{:x} loss {}", f.step, f4(f.loss));
       })},
      {"zero based",
       line([](const StepFacts& f) {
         return fmt::format("step {} loss {}", f.step - 1, f4(f.loss));
       }),
       {},
       -1},
      {"mean redrawn", line([](const StepFacts& f) {
         return fmt::format("minibatch {:>5}   NLL {:>10}   acc 0.{:02}", f.step, f4(f.loss),
                            f.step);
       })},
      {"accuracy first", line([](const StepFacts& f) {
         return fmt::format("acc: 0.{:02}, ppl: {}, it: {}", f.step + 10, f4(f.loss), f.step);
       })},
      {"clock in text", line([](const StepFacts& f) {
         return fmt::format("14:05:{:02} | step {} | elapsed 0:00:{:02} | loss {}", f.step, f.step,
                            f.step, f4(f.loss));
       })},
      {"duration", line([](const StepFacts& f) {
         return fmt::format("step={} took={}ms loss={}", f.step, 90 + f.step % 13, f4(f.loss));
       })},
      {"nan key",
       line([](const StepFacts& f) { return fmt::format("step_{} loss_{}", f.step, f4(f.loss)); })},
      {"rounded perplexity behind a total", line([](const StepFacts& f) {
         return fmt::format("inner: {} / {} loss={}, ppl={}, wps=0", f.step, f.steps, f4(f.loss),
                            11 + f.step % 3);
       })},
      {"a unit's letter before the number", line([](const StepFacts& f) {
         return fmt::format("tok {} | s {} | {}", f.step * 12288, f.step, f4(f.loss));
       })},
      {"optional field", line([](const StepFacts& f) {
         const std::string eta = f.step % 4 == 0 ? " - ETA: 6s" : "";
         return fmt::format("step {}{} - loss {}", f.step, eta, f4(f.loss));
       })},
  };
  return list;
}

const std::vector<Dialect>& other_words() {
  static const std::vector<Dialect> list = {
      {"spanish sentence", line([](const StepFacts& f) {
         return fmt::format("Iteración {} de {}: la pérdida es {}", f.step, f.steps, comma(f.loss));
       })},
      {"glued japanese", line([](const StepFacts& f) {
         return fmt::format("学習回数{}回目、誤差は{}です", f.step, f4(f.loss));
       })},
      {"german", line([](const StepFacts& f) {
         return fmt::format("Schritt {} von {}: Verlust {}", f.step, f.steps, comma(f.loss));
       })},
      {"german compound", line([](const StepFacts& f) {
         return fmt::format("Trainingsschritt {} Verlust={} Lernrate=0,001", f.step, comma(f.loss));
       })},
      {"french", line([](const StepFacts& f) {
         return fmt::format("Étape {} — perte : {}", f.step, f4(f.loss));
       })},
      {"spanish", line([](const StepFacts& f) {
         return fmt::format("paso {}, pérdida {}", f.step, f4(f.loss));
       })},
      {"portuguese", line([](const StepFacts& f) {
         return fmt::format("iteração {} | perda {}", f.step, f4(f.loss));
       })},
      {"russian", line([](const StepFacts& f) {
         return fmt::format("Шаг {}: потери {}", f.step, f4(f.loss));
       })},
      {"chinese",
       line([](const StepFacts& f) { return fmt::format("第{}步 损失：{}", f.step, f4(f.loss)); })},
      {"japanese", line([](const StepFacts& f) {
         return fmt::format("ステップ {} 損失 {}", f.step, f4(f.loss));
       })},
      {"polish", line([](const StepFacts& f) {
         return fmt::format("krok {} strata {}", f.step, f4(f.loss));
       })},
      {"turkish", line([](const StepFacts& f) {
         return fmt::format("adım {} kayıp {}", f.step, f4(f.loss));
       })},
      {"invented",
       line([](const StepFacts& f) { return fmt::format("zib {} zork {}", f.step, f4(f.loss)); })},
      {"no words",
       line([](const StepFacts& f) { return fmt::format("{} {}", f.step, f4(f.loss)); })},
      {"no words, comma",
       line([](const StepFacts& f) { return fmt::format("{},{}", f.step, f4(f.loss)); })},
  };
  return list;
}

const std::vector<Dialect>& tables() {
  static const std::vector<Dialect> list = {
      {"drawn table",
       line([](const StepFacts& f) {
         return fmt::format("│ {:>4} │ {:>8} │ 12.{}  │", f.step, f4(f.loss), f.step % 10);
       }),
       {"┏━━━━━━┳━━━━━━━━━━┳━━━━━━━┓", "┃ Iter ┃ Verlust  ┃ Rate  ┃",
        "┡━━━━━━╇━━━━━━━━━━╇━━━━━━━┩"}},
      {"csv",
       line([](const StepFacts& f) {
         return fmt::format("{},{},{},0.001", f.step, f.step * 64, f4(f.loss));
       }),
       {"step,samples,loss,lr"}},
      {"csv without names of ours",
       line([](const StepFacts& f) {
         return fmt::format("{};{};0.00{}", f.step, f4(f.loss), 1 + f.step % 9);
       }),
       {"upd;xent;alpha"}},
      {"blank table",
       line([](const StepFacts& f) {
         return fmt::format("{:>6} {:>12} {:>8.3f}", f.step, f4(f.loss), 1.5 + f.step % 3);
       }),
       {"  step         loss    gnorm", "-----------------------------"}},
      {"box table",
       line([](const StepFacts& f) {
         return fmt::format("│ {:4} │ {:>9} │ {:5} │", f.step, f4(f.loss), f.step * 3 % 11);
       }),
       {"┌──────┬───────────┬───────┐", "│ step │      loss │ queue │",
        "├──────┼───────────┼───────┤"}},
      {"markdown table",
       line([](const StepFacts& f) {
         return fmt::format("| {} | {} | {} |", f.epoch, f.step, f4(f.loss));
       }),
       {"| epoch | step | loss |", "|---|---|---|"}},
      {"tabs",
       line([](const StepFacts& f) {
         return fmt::format("{}\t{}\t{}", f.step, f4(f.loss), 0.5 + f.step % 5);
       }),
       {"iter\tcost\tnorm"}},
  };
  return list;
}

const std::vector<Dialect>& epochs() {
  static const std::vector<Dialect> list = {
      {"one line counts over all epochs",
       [](const StepFacts& f, Lines& out) {
         out.push_back(fmt::format("epoch={} step={} loss={}", f.epoch, f.batch, f4(f.loss)));
         if (f.step == f.steps) out.push_back(fmt::format("finished after step {}", f.step));
       }},
      {"epoch and step", line([](const StepFacts& f) {
         return fmt::format("Epoch [{}/4] Step [{}/{}] loss: {} acc: 0.1000", f.epoch, f.batch,
                            f.per_epoch, f4(f.loss));
       })},
      {"epoch comma batch", line([](const StepFacts& f) {
         return fmt::format("epoch {}, batch {}: cost={}", f.epoch, f.batch, f4(f.loss));
       })},
      {"zero based epochs",
       line([](const StepFacts& f) {
         return fmt::format("ep{:02} it{:03} loss {}", f.epoch - 1, f.batch - 1, f4(f.loss));
       }),
       {},
       -1},
      {"header line",
       [](const StepFacts& f, Lines& out) {
         if (f.batch == 1) out.push_back(fmt::format("=== Epoch {} ===", f.epoch));
         out.push_back(fmt::format("batch {}/{} loss {}", f.batch, f.per_epoch, f4(f.loss)));
       }},
      {"counted resets", line([](const StepFacts& f) {
         return fmt::format("batch {} loss {}", f.batch, f4(f.loss));
       })},
      {"global step beside", line([](const StepFacts& f) {
         return fmt::format("epoch {} batch {} global_step {} loss {}", f.epoch, f.batch, f.step,
                            f4(f.loss));
       })},
      {"invented with reset", line([](const StepFacts& f) {
         return fmt::format("<{}|{}> {}", f.epoch, f.batch, f4(f.loss));
       })},
      {"keras 2",
       [](const StepFacts& f, Lines& out) {
         if (f.batch == 1) out.push_back(fmt::format("Epoch {}/4", f.epoch));
         out.push_back(fmt::format("\r{:2}/{} [{}] - ETA: {}s - loss: {}", f.batch, f.per_epoch,
                                   bar(f.batch, f.per_epoch, '=', '>', '.', 30), 10 - f.batch,
                                   f4(f.loss)));
         if (f.batch == f.per_epoch)
           out.push_back(fmt::format("\r{0}/{0} [{1}] - 1s 66ms/step - loss: {2}", f.per_epoch,
                                     bar(1, 1, '=', '>', '.', 30), f4(f.loss / 2)));
       }},
      {"keras 3",
       [](const StepFacts& f, Lines& out) {
         if (f.batch == 1) out.push_back(fmt::format("Epoch {}/4", f.epoch));
         out.push_back(fmt::format(
             "\r {}/{} ━━━━━━━━━━━━━━━━━━━━ {}s {}ms/step - accuracy: 0.{} - loss: {}", f.batch,
             f.per_epoch, 10 - f.batch, 60 + f.step % 9, 10 + f.step, f4(f.loss)));
         if (f.batch == f.per_epoch)
           out.push_back(
               fmt::format("\r{0}/{0} ━━━━━━━━━━━━━━━━━━━━ 1s 66ms/step - accuracy: 0.10 - "
                           "loss: {1} - val_loss: 3.2",
                           f.per_epoch, f4(f.loss / 2)));
       }},
      {"tqdm per epoch",
       [](const StepFacts& f, Lines& out) {
         out.push_back(fmt::format("\rEpoch {}:  {}%|{}| {}/{} [00:0{}<00:01,  1.17it/s, loss={}]",
                                   f.epoch, f.batch * 100 / f.per_epoch,
                                   bar(f.batch, f.per_epoch, '#', '2', ' ', 10), f.batch,
                                   f.per_epoch, f.batch % 10, f4(f.loss)));
       }},
      {"tqdm over all",
       [](const StepFacts& f, Lines& out) {
         out.push_back(
             fmt::format("\rtrain:  {}%|█▏        | {}/{} [00:10<01:15,  1.17it/s, loss={}]",
                         f.step * 100 / f.steps, f.step, f.steps, f4(f.loss)));
       }},
      {"tqdm without a total",
       [](const StepFacts& f, Lines& out) {
         out.push_back(
             fmt::format("\r{}it [00:{:02},  1.17it/s, loss={}]", f.step, f.step, f4(f.loss)));
       }},
  };
  return list;
}

const std::vector<Dialect>& two_lines() {
  static const std::vector<Dialect> list = {
      {"marker, then loss",
       [](const StepFacts& f, Lines& out) {
         out.push_back(fmt::format("--- iteration {} ---", f.step));
         out.push_back(fmt::format("    loss: {}", f4(f.loss)));
       }},
      {"loss, then marker",
       [](const StepFacts& f, Lines& out) {
         out.push_back(fmt::format("loss {}", f4(f.loss)));
         out.push_back(fmt::format("finished step {}", f.step));
       }},
      {"begin and end",
       [](const StepFacts& f, Lines& out) {
         out.push_back(fmt::format("step {} start", f.step));
         out.push_back(fmt::format("step {} done loss={}", f.step, f4(f.loss)));
       }},
      {"a line of its own",
       [](const StepFacts& f, Lines& out) {
         out.push_back(fmt::format("update {}", f.step));
         out.push_back(f4(f.loss));
       }},
      {"eval between",
       [](const StepFacts& f, Lines& out) {
         out.push_back(fmt::format("step {} loss {}", f.step, f4(f.loss)));
         if (f.step % 10 != 0) return;
         for (int i = 1; i <= 6; ++i)
           out.push_back(fmt::format("eval step {} loss {:.4f}", i, 3.0 + 0.01 * i));
       }},
      {"two loggers",
       [](const StepFacts& f, Lines& out) {
         const std::string text = fmt::format("train | step: {} | loss: {}", f.step, f4(f.loss));
         out.push_back(text);
         out.push_back(text);
       }},
  };
  return list;
}

void check_all(const std::vector<Dialect>& dialects, const Run& run) {
  for (const Dialect& d : dialects) {
    INFO(d.name);
    const Chosen chosen = print_and_choose(run, d.preamble, d.print);
    CHECK(difference(run, chosen, true, d.base) == "");
    CHECK(chosen.loss_mode == (run.local ? "local" : "reduced"));
  }
}

void check_runs(const std::vector<Dialect>& dialects) {
  Run healthy;
  check_all(dialects, healthy);
  Run crash = healthy;
  crash.last_of_task1 = 27;
  crash.local = true;
  check_all(dialects, crash);
  Run nan = healthy;
  nan.nan_from = 23;
  nan.stamped = false;
  check_all(dialects, nan);
}

}  // namespace

TEST_CASE("dialects of one line a step") {
  check_runs(english());
}
TEST_CASE("dialects in other languages, invented words and none") {
  check_runs(other_words());
}
TEST_CASE("tables and CSV are named by their heads") {
  check_runs(tables());
}
TEST_CASE("counters that start again every epoch are unrolled") {
  check_runs(epochs());
}
TEST_CASE("markers and losses on lines of their own") {
  check_runs(two_lines());
}

TEST_CASE("thousands are grouped in several ways") {
  Run run;
  run.first_step = 985;
  run.steps = 1024;
  check_all({{"comma", line([](const StepFacts& f) {
                return fmt::format("step {} of 10,000, loss {}", grouped(f.step), f4(f.loss));
              })},
             {"underscore", line([](const StepFacts& f) {
                std::string s = grouped(f.step);
                if (const auto at = s.find(','); at != std::string::npos) s[at] = '_';
                return fmt::format("step={} loss={}", s, f4(f.loss));
              })},
             {"apostrophe", line([](const StepFacts& f) {
                std::string s = grouped(f.step);
                if (const auto at = s.find(','); at != std::string::npos) s[at] = '\'';
                return fmt::format("step {} loss {}", s, f4(f.loss));
              })}},
            run);
}

}  // namespace tfpm::test
