// Checkpoints cut at every byte and damaged: a state below 'complete crc-ok' needs a sentence, and
// nothing that is cut may pass for whole.
#include <catch2/catch.hpp>

#include "hostile/judge.h"
#include "hostile/mutate.h"
#include "support/checkpoint_files.h"
#include "support/keras_writer.h"

namespace tfpm::test {
namespace {

constexpr std::size_t kAll = 10'000;
constexpr std::size_t kShare = 100;

// A bundle with all kinds of entries, of a string tensor and a partitioned one too.
Files bundle_files(bool snappy) {
  BundleWriter bundle(2);
  bundle.add_floats("dense/kernel", {1, 2, 3, 4});
  bundle.add_floats("dense/bias", {5, 6}, 1);
  bundle.add_strings("vocabulary", {"ab", "", "xyz"});
  bundle.add_slice("table", {4, 2}, {{0, 2}, {0, -1}}, {1, 2, 3, 4});
  bundle.add_slice("table", {4, 2}, {{2, 2}, {0, -1}}, {5, 6, 7, 8}, 1);
  bundle.add_scalar("save_counter", 3);
  Files files;
  TableOptions options;
  options.snappy = snappy;
  add_bundle(files, "c/ckpt-3", bundle, 2, options);
  return files;
}

Files keras_files() {
  const std::string weights = make_hdf5(2, 600);
  return {{"m/model.weights.h5", weights},
          {"m/best.keras", make_zip({{"metadata.json", "{}"},
                                     {"config.json", "{\"class_name\":\"Sequential\"}"},
                                     {"model.weights.h5", weights}})}};
}

// Empty, or what is wrong with the verdicts on `files`.
std::string judge(const Files& files, std::int64_t idle) {
  CheckpointReport report;
  if (std::string over = over_limits(idle, [&] { report = run_checkpoint_set(files); });
      !over.empty()) {
    return over;
  }
  CountingSink sink;
  for (const CheckpointGroup& group : report.groups) {
    for (const Problem& problem : group.problems) sink.problem(problem);
  }
  for (const CheckpointSummary& s : report.summaries) {
    if (!s.usable() && s.problem.empty()) return s.prefix + " is not usable and nobody says why";
  }
  return sink.bad_problem();
}

void cut_everywhere(const Files& whole) {
  const std::int64_t idle = peak_memory_kib();
  for (const auto& [path, bytes] : whole) {
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
      Files files = whole;
      files[path].resize(cut);
      INFO(path << " cut at " << cut);
      if (const std::string bad = judge(files, idle); !bad.empty()) FAIL(bad);
      for (const CheckpointSummary& s : run_checkpoint_set(files).summaries) {
        if (path.rfind(s.prefix, 0) == 0) REQUIRE_FALSE(s.usable());
      }
    }
  }
}

void damage(const Files& whole, std::uint64_t seed) {
  const std::int64_t idle = peak_memory_kib();
  const std::size_t rounds = try_all() ? kAll : kShare;
  for (std::size_t round = 0; round < rounds; ++round) {
    Dice dice(seed * kAll + round);
    Files files = whole;
    auto it = files.begin();
    std::advance(it, static_cast<std::ptrdiff_t>(dice.below(files.size())));
    it->second = mutate(it->second, whole.begin()->second, dice);
    INFO(it->first << " round " << round);
    if (const std::string bad = judge(files, idle); !bad.empty()) FAIL(bad);
  }
}

}  // namespace

TEST_CASE("checkpoints cut at every byte are told") {
  cut_everywhere(bundle_files(false));
  cut_everywhere(bundle_files(true));
  cut_everywhere(keras_files());
}

TEST_CASE("checkpoints survive damage") {
  damage(bundle_files(false), 1);
  damage(bundle_files(true), 2);
  damage(keras_files(), 3);
}

}  // namespace tfpm::test
