// Files that are small and want to be deep, long or large: nesting of every syntax, declared sizes
// that no file has. Each goes to every parser, whatever its sniff says.
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <string>

#include "hostile/judge.h"
#include "support/bundle_writer.h"
#include "support/checkpoint_files.h"
#include "support/parse_text.h"

namespace tfpm::test {
namespace {

constexpr int kDeep = 100'000;

std::string repeat(std::string_view part, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += part;
  return out;
}

// A message in field `field` of a message in field `field` of ...
std::string nested_message(std::uint32_t field, int depth) {
  std::string out = "x";
  for (int i = 0; i < depth; ++i) out = bytes_field(field, out);
  return out;
}

std::string framed(const std::string& record) {
  const std::string length = u64le(record.size());
  return length + u32le(plain_masked_crc(length)) + record + u32le(plain_masked_crc(record));
}

struct Bomb {
  std::string what, bytes;
};

std::vector<Bomb> bombs() {
  std::vector<Bomb> out = {
      {"JSON arrays", repeat("[", kDeep)},
      {"JSON objects", repeat("{\"a\":", kDeep)},
      {"JSON in kubectl's frame", "{\"kind\": \"List\", \"items\": [" + repeat("{\"a\":[", kDeep)},
      {"JSON in docker's frame", "[{\"Id\": \"State\", \"ExitCode\": " + repeat("[", kDeep)},
      {"JSON of a trace", "{\"traceEvents\":[{\"args\":" + repeat("{\"a\":", kDeep)},
      {"YAML flow", "kind: Pod\na: " + repeat("[", kDeep)},
      {"YAML blocks", "kind: Pod\n" + repeat("- ", kDeep)},
      {"YAML indentation", "kind: Pod\na:\n" + repeat(" ", kDeep) + "- b"},
      {"XML elements", "<?xml version=\"1.0\" ?><nvidia_smi_log>" + repeat("<a>", kDeep)},
      {"XML entities",
       "<!DOCTYPE a [<!ENTITY a \"" + repeat("&b;", 1000) + "\">]><nvidia_smi_log>"},
      {"Python tuples", "TF_CONFIG=" + repeat("(", kDeep)},
      {"quotes", repeat("\"\\\"'", kDeep)},
      {"one long line", std::string(8 << 20, 'a')},
      {"many empty lines", std::string(1 << 20, '\n')},
      {"a line of numbers", repeat("1 ", 1 << 20)},
      {"dashes", repeat("|---", 1 << 18)},
      {"NUL", std::string(4 << 20, '\0')},
      {"0xff", std::string(4 << 20, '\xff')},
  };
  for (const std::uint32_t field : {1U, 2U, 3U, 4U, 5U, 8U}) {
    const std::string message = nested_message(field, 4000);
    out.push_back({"protobuf " + std::to_string(field), message});
    out.push_back({"record of protobuf " + std::to_string(field), framed(message)});
  }
  out.push_back({"a length beyond every file", "\x0a" + varint(~0ULL >> 1U) + "x"});
  const std::string length = u64le(~0ULL);
  out.push_back({"a record beyond every file", length + u32le(plain_masked_crc(length)) + "x"});
  return out;
}

}  // namespace

TEST_CASE("depth and length cost nothing") {
  const std::vector<Bomb> all = bombs();
  const std::int64_t idle = peak_memory_kib();
  for (const auto& parser : make_all_parsers()) {
    for (const Bomb& bomb : all) {
      CountingSink sink;
      const std::string over = over_limits(idle, [&] {
        const std::size_t head = std::min(bomb.bytes.size(), kSniffBytes);
        parser->sniff({"worker-0", {bomb.bytes.data(), head}, head == bomb.bytes.size()});
        MemoryStream stream(bomb.bytes);
        (void)parser->parse({"worker-0", bomb.bytes.size()}, stream, sink);
      });
      INFO(parser->name() << ": " << bomb.what);
      if (!over.empty()) FAIL_CHECK(over);
      if (const std::string bad = sink.bad_problem(); !bad.empty()) FAIL_CHECK(bad);
    }
  }
}

TEST_CASE("what a bomb was meant for says that it is none of its own") {
  const auto says = [](std::string_view name, const std::string& bytes) {
    for (const auto& parser : make_all_parsers()) {
      if (parser->name() != name) continue;
      CountingSink sink;
      MemoryStream stream(bytes);
      const Status status = parser->parse({"worker-0", bytes.size()}, stream, sink);
      INFO(name);
      CHECK((!status.ok() || !sink.problems().empty()));
    }
  };
  says("kubernetes", "{\"kind\": \"List\", \"items\": [" + repeat("{\"a\":[", kDeep));
  says("kubernetes", "kind: Pod\na: " + repeat("[", kDeep));
  says("docker-inspect", "[{\"Id\": \"State\", \"ExitCode\": " + repeat("[", kDeep));
  says("profile-trace", "{\"traceEvents\":[{\"args\":" + repeat("{\"a\":", kDeep));
  says("nvidia-smi", "<?xml version=\"1.0\" ?>\n<nvidia_smi_log>\n" + repeat("<a>", kDeep));
  says("tfevents", u64le(~0ULL) + u32le(plain_masked_crc(u64le(~0ULL))) + "x");
}

TEST_CASE("a Snappy block that claims more than it holds is damage") {
  const std::int64_t idle = peak_memory_kib();
  // A table whose only block is compressed and says 4 GiB - 1.
  const std::string block = varint(0xffffffff) + std::string("\0a", 2);
  std::string table = block + '\1';
  table += u32le(plain_masked_crc(table));
  std::string index = std::string("\0\1\2z\0", 5) + varint(block.size()) + u32le(0) + u32le(1);
  const std::string handle = varint(table.size()) + varint(index.size());
  index += '\0';
  index += u32le(plain_masked_crc(index));
  std::string footer = varint(0) + varint(0) + handle;
  footer.resize(40);
  const std::string file = table + index + footer + "\x57\xfb\x80\x8b\x24\x75\x47\xdb";
  CheckpointReport report;
  CHECK(over_limits(idle, [&] {
          report =
              run_checkpoint_set({{"c/ckpt-1.index", file}, {"c/ckpt-1.data-00000-of-00001", "x"}});
        }).empty());
  REQUIRE(report.summaries.size() == 1);
  CHECK_FALSE(report.summaries[0].usable());
  CHECK_FALSE(report.summaries[0].problem.empty());
}

// Honest and long: as `kubectl get pods` of a large cluster prints them.
TEST_CASE("a list of objects costs the memory of its largest object") {
  constexpr int kObjects = 30'000;
  const std::string pod =
      R"({"kind": "Pod", "metadata": {"name": "w-1"}, "status": {"containerStatuses": [{"name": "c",
 "state": {"terminated": {"exitCode": 1, "reason": "Error", "finishedAt": "2026-03-05T14:05:42Z"}}}]}})";
  const std::string thread =
      R"({"pid": 1, "thread_id": 2, "thread_name": "MainThread", "active": true, "owns_gil": false,
 "frames": [{"name": "f", "filename": "a.py", "line": 1}]})";
  const std::string container =
      R"({"Id": "a", "State": {"Status": "exited", "ExitCode": 137, "FinishedAt": "2026-03-05T14:05:42Z"}, "Name": "/worker-1"})";
  const std::string yaml =
      "- kind: Pod\n  metadata:\n    name: w-1\n  status:\n    phase: Failed\n";
  const auto list = [](const std::string& item) {
    return repeat(item + ",\n", kObjects) + item + "]";
  };
  const std::map<std::string, std::string> texts = {
      {"kubernetes", "{\"apiVersion\": \"v1\", \"items\": [" + list(pod) + "}"},
      {"docker-inspect", "[" + list(container)},
      {"stacks", "[" + list(thread)}};
  const std::string manifest = "apiVersion: v1\nitems:\n" + repeat(yaml, kObjects) + "kind: List\n";
  const std::int64_t idle = peak_memory_kib();
  const auto read = [&](const Parser& parser, const std::string& text) {
    CountingSink sink;
    INFO(parser.name());
    CHECK(over_limits(idle, [&] {
            MemoryStream stream(text);
            CHECK(parser.parse({"worker-0", text.size()}, stream, sink).ok());
          }).empty());
    CHECK(sink.problems().empty());
    CHECK(sink.rows() > 0);
  };
  for (const auto& parser : make_all_parsers()) {
    const auto it = texts.find(std::string(parser->name()));
    if (it != texts.end()) read(*parser, it->second);
  }
  for (const auto& parser : make_all_parsers()) {
    if (parser->name() != "kubernetes") continue;
    CountingSink sink;
    CHECK(over_limits(idle, [&] {
            MemoryStream stream(manifest);
            CHECK(parser->parse({"pods.yaml", manifest.size()}, stream, sink).ok());
          }).empty());
    CHECK(sink.problems().empty());
  }
}

}  // namespace tfpm::test
