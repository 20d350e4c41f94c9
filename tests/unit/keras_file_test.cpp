// Keras' one-file checkpoints: whole, cut at every byte, damaged (formats.md 3.1 to 3.3).
#include "parsers/checkpoint/keras_file.h"

#include <catch2/catch.hpp>
#include <string>

#include "parsers/detail/hdf5_check.h"
#include "parsers/detail/lookup3.h"
#include "support/checkpoint_files.h"
#include "support/keras_writer.h"
#include "support/parse_text.h"

namespace tfpm {
namespace {

using namespace test;

KerasReading read(const std::string& name, const std::string& bytes, std::size_t chunk = 1000) {
  MemoryStream in(bytes, chunk);
  return read_keras_file(name, in);
}

std::string state(const KerasReading& r) {
  return std::string(r.verdict.completeness) + " " + std::string(r.verdict.integrity);
}

std::string model_zip() {
  return make_zip({{"metadata.json", R"({"keras_version": "3.4.1"})"},
                   {"config.json", R"({"module": "keras", "class_name": "Functional"})"},
                   {"model.weights.h5", make_hdf5(0, 3000)}});
}

}  // namespace

TEST_CASE("superblocks carry the checksum that HDF5 uses", "[keras]") {
  CHECK(lookup3("") == 0xdeadbeefU);
  CHECK(lookup3("Four score and seven years ago") == 0x17770551U);  // published vector
}

TEST_CASE("whole files of every superblock version", "[keras]") {
  for (const int version : {0, 1, 2, 3}) {
    INFO(version);
    const std::string bytes = make_hdf5(version, 4096);
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{7}, std::size_t{65'536}}) {
      CHECK(state(read("a.weights.h5", bytes, chunk)) == "complete unknown");
    }
    CHECK(read("a.weights.h5", std::string(512, 'u') + bytes).verdict.problem.empty());
  }
}

TEST_CASE("an HDF5 file cut at any byte is said to be cut", "[keras]") {
  const std::string bytes = make_hdf5(2, 600);
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    INFO(n);
    const KerasReading r = read("a.weights.h5", bytes.substr(0, n));
    CHECK(r.verdict.completeness != "complete");
    CHECK_FALSE(r.verdict.problem.empty());
    CHECK(r.fault_at <= n);
  }
}

TEST_CASE("what else is wrong with an HDF5 file", "[keras]") {
  std::string open = make_hdf5(3, 600, true);
  CHECK(read("a.weights.h5", open).verdict.problem.find("open for writing") != std::string::npos);
  std::string flipped = make_hdf5(2, 600);
  flipped[30] ^= 1;
  CHECK(read("a.weights.h5", flipped).verdict.completeness == "index-unreadable");
  std::string unflushed = make_hdf5(0, 600);
  unflushed.replace(96, 4, 4, '\0');
  CHECK(read("a.weights.h5", unflushed).verdict.problem.find("no root group") != std::string::npos);
  const std::string longer = make_hdf5(0, 600) + std::string(100, 'x');
  CHECK(read("a.weights.h5", longer).verdict.problem.find("not closed") != std::string::npos);
  const std::string text = "\xef\xbf\xbdHDF\r\n\x1a\n rest";
  CHECK(read("a.weights.h5", text).verdict.problem.find("text encoder") != std::string::npos);
}

TEST_CASE("a whole .keras file is verified by its members' checksums", "[keras]") {
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{1000}, std::size_t{65'536}}) {
    const KerasReading r = read("m/best.keras", model_zip(), chunk);
    CHECK(state(r) == "complete crc-ok");
    CHECK(r.verdict.problem.empty());
  }
}

TEST_CASE("a .keras file cut at any byte is no good, and says what is whole", "[keras]") {
  const std::string bytes = model_zip();
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    INFO(n);
    const KerasReading r = read("best.keras", bytes.substr(0, n));
    CHECK(r.verdict.completeness != "complete");
    CHECK_FALSE(r.verdict.problem.empty());
  }
  const KerasReading cut = read("best.keras", bytes.substr(0, bytes.size() / 2));
  CHECK(cut.verdict.problem.find("whole: metadata.json, config.json; cut: model.weights.h5") !=
        std::string::npos);
}

TEST_CASE("a flipped bit in any member's bytes is found", "[keras]") {
  const std::string bytes = model_zip();
  std::string flipped = bytes;
  flipped[bytes.find("Functional")] ^= 4;
  const KerasReading r = read("best.keras", flipped);
  CHECK(state(r) == "complete crc-bad");
  CHECK(r.verdict.problem.find("config.json") != std::string::npos);
}

TEST_CASE("a .keras file without weights was given up", "[keras]") {
  const KerasReading r = read("best.keras", make_zip({{"config.json", "{}"}}));
  CHECK(r.verdict.completeness == "shard-missing");
}

TEST_CASE("Keras files come out of a set as checkpoints", "[keras]") {
  const Files files = {{"backup/latest.weights.h5", make_hdf5(0, 900).substr(0, 700)},
                       {"backup/latest.weights.h5.bkp", make_hdf5(0, 900)},
                       {"model/final.keras", model_zip()},
                       {"data/train.h5", make_hdf5(0, 900).substr(0, 500)}};
  const CheckpointReport report = run_checkpoint_set(files);
  CHECK(report.summaries.size() == 3);  // a data set is none
  CHECK(state_of(report, "model/final.keras") == "complete crc-ok unknown");
  const CheckpointSummary broken = summary_of(report, "backup/latest.weights.h5");
  CHECK(broken.completeness == "shard-short");
  CHECK(broken.problem.find("latest.weights.h5.bkp beside it is whole") != std::string::npos);
}

TEST_CASE("weights in shards are one checkpoint, with the files that their list names", "[keras]") {
  const std::string list = R"({"metadata": {"total_size": 9}, "weight_map": {)"
                           R"("/a": ["m_00000.weights.h5", "m_00001.weights.h5"], )"
                           R"("/b": "m_00001.weights.h5"}})";
  Files files{{"k/m.weights.json", list},
              {"k/m_00000.weights.h5", make_hdf5(2, 4096)},
              {"k/m_00001.weights.h5", make_hdf5(2, 4096)},
              {"k/other.weights.h5", make_hdf5(2, 4096)}};
  CheckpointReport report = run_checkpoint_set(files);
  CHECK(report.summaries.size() == 2);  // shards are no checkpoints by themselves
  CHECK(state_of(report, "k/m.weights.json") == "complete unknown unknown");
  CHECK(summary_of(report, "k/m.weights.json").bytes == 2 * 4096);
  CHECK(rows_text(report) == rows_text(run_checkpoint_set(files, 1000, true)));

  files["k/m_00001.weights.h5"].resize(1000);
  report = run_checkpoint_set(files);
  CHECK(summary_of(report, "k/m.weights.json").completeness == "shard-short");
  CHECK_THAT(summary_of(report, "k/m.weights.json").problem, Catch::Contains("m_00001.weights.h5"));

  files.erase("k/m_00001.weights.h5");
  report = run_checkpoint_set(files);
  CHECK(summary_of(report, "k/m.weights.json").completeness == "shard-missing");
  CHECK(summary_of(report, "k/m.weights.json").problem ==
        "1 of 2 shards missing: m_00001.weights.h5");
}

TEST_CASE("a list of shards that is none says so, and its files stand for themselves", "[keras]") {
  for (const std::string list : {"{", "{}", R"({"weight_map": {}})", R"({"weight_map": [1]})",
                                 R"({"weight_map": {"a": "../../m_00000.weights.h5"}})"}) {
    INFO(list);
    const CheckpointReport report =
        run_checkpoint_set({{"m.weights.json", list}, {"m_00000.weights.h5", make_hdf5(2, 4096)}});
    CHECK(report.summaries.size() == 2);
    CHECK(summary_of(report, "m.weights.json").completeness == "index-unreadable");
    CHECK_FALSE(summary_of(report, "m.weights.json").problem.empty());
  }
}

}  // namespace tfpm
