// Why members are not read (ingest/unread_reason.h).
#include "ingest/unread_reason.h"

#include <catch2/catch.hpp>

namespace tfpm {
namespace {

void put(std::string& out, std::size_t at, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) out[at + i] = static_cast<char>((value >> (8 * i)) & 0xff);
}

// A note of a core file at `at`; returns what stands behind it.
std::size_t put_note(std::string& out, std::size_t at, std::uint32_t type, std::size_t size) {
  put(out, at, 5, 4);
  put(out, at + 4, size, 4);
  put(out, at + 8, type, 4);
  out.replace(at + 12, 4, "CORE");
  return at + 20 + size;
}

std::string core_file() {
  std::string out(1024, '\0');
  out.replace(0, 6,
              std::string("\x7f"
                          "ELF\x02\x01"));
  put(out, 16, 4, 2);   // e_type: core
  put(out, 32, 64, 8);  // program headers
  put(out, 54, 56, 2);
  put(out, 56, 1, 2);
  put(out, 64, 4, 4);        // PT_NOTE
  put(out, 64 + 8, 200, 8);  // offset
  put(out, 64 + 32, 400, 8);
  const std::size_t info = put_note(out, 200, 1, 112);
  put(out, 200 + 20 + 12, 11, 2);  // signal
  put_note(out, info, 3, 136);
  put(out, info + 20 + 24, 4242, 4);
  out.replace(info + 20 + 40, 7, "python3");
  return out;
}

}  // namespace

TEST_CASE("a core file names its program and signal") {
  const std::string text = describe_unread(core_file(), "core.1", false);
  CHECK(text.rfind("core file of python3, pid 4242, signal 11: not parsed", 0) == 0);
}

TEST_CASE("a cut or hostile core file is still one") {
  const std::string whole = core_file();
  for (std::size_t n = 20; n < whole.size(); ++n) {
    CHECK(describe_unread(whole.substr(0, n), "core", false).rfind("core file", 0) == 0);
  }
  std::string hostile = whole;
  for (std::size_t i = 20; i < hostile.size(); ++i) hostile[i] = '\xff';
  CHECK(describe_unread(hostile, "core", false).rfind("core file", 0) == 0);
}

TEST_CASE("what stands for a file that is not there is said") {
  CHECK(describe_unread("", "a", true) == "empty file");
  CHECK(describe_unread("version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "a", true)
            .find("git lfs pull") != std::string::npos);
  CHECK(describe_unread(std::string(100, '\0'), "a", true).find("NUL") != std::string::npos);
  CHECK(describe_unread("MDMP\x93\xa7", "a", false).find("minidump") != std::string::npos);
  CHECK(describe_unread("abc", "a", true).rfind("text of no known format: ", 0) == 0);
  CHECK(describe_unread("a\x01", "a", false) == "binary of no known format; it begins with 61 01");
}

TEST_CASE("files that are no evidence of a run say what they are") {
  const auto says = [](std::string_view head, std::string_view path, std::string_view what) {
    INFO(path);
    CHECK(describe_unread(head, path, true).find(what) != std::string::npos);
  };
  says("\x0a\x9f", "ckpt/model.ckpt-0.meta", "MetaGraphDef");
  says("\x08\x01\x12", "export/saved_model.pb", "SavedModel");
  says("node {\n", "ckpt/graph.pbtxt", "graph of the model");
  says("#!/bin/bash\n#SBATCH -N 2\n", "job.sbatch", "script");
  says("# Notes\n", "README.md", "document");
  says("\x83\xaf\x70\xd1\x0d\x88\x4a\x3f", "h.xplane.riegeli", "Riegeli");
  says("\x0a\x0b", "plugins/profile/1/local.trace", "`.trace.json.gz`");
  says("\x80\x04\x95", "state.pkl", "pickle: never opened");
  says("\x89HDF\r\n\x1a\n", "data.bin", "HDF5");
}

}  // namespace tfpm
