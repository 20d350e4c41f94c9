// Whole bundles through ingest(): order, threads, damage.
#include "ingest/ingest.h"

#include <catch2/catch.hpp>
#include <map>

#include "bundle/bundle.h"
#include "bundle/peek_source.h"
#include "store/database.h"

namespace tfpm {
namespace {

// Content that fails in the middle.
class FailingSource : public ByteSource {
 public:
  explicit FailingSource(std::string text) : text_(std::move(text)) {}
  Result<std::size_t> read(std::span<char> out) override {
    if (text_.empty()) {
      return error(ErrorKind::kUnreadable, "cannot read", "disk", "Input/output error");
    }
    const std::size_t n = text_.copy(out.data(), out.size());
    text_.erase(0, n);
    return n;
  }

 private:
  std::string text_;
};

// Members in memory, in a given order.
class MemoryBundle : public Bundle {
 public:
  void add(std::string path, std::string text) {
    members_.emplace_back(std::move(path), std::move(text));
  }
  void reverse() { std::reverse(members_.begin(), members_.end()); }
  std::string failing;  // path of a member whose medium fails at its end

  std::string name() const override { return "memory"; }
  Status for_each(const Visit& visit, const OnProblem&) override {
    for (const auto& [path, text] : members_) {
      MemorySource good{std::span<const char>(text)};
      FailingSource bad(text);
      Member member;
      member.path = path;
      member.inner_name = path;
      member.size = text.size();
      member.content = path == failing ? static_cast<ByteSource*>(&bad) : &good;
      TFPM_RETURN_IF_ERROR(visit(member));
    }
    return ok_status();
  }
  BundleProgress progress() const override { return {}; }

 private:
  std::vector<std::pair<std::string, std::string>> members_;
};

std::string log_text(int worker) {
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    text += "2026-03-05 14:05:42,123 INFO train: step " + std::to_string(i) + " loss 0.5\n";
  }
  return text + "ValueError: worker " + std::to_string(worker) + "\n";
}

MemoryBundle eight_workers() {
  MemoryBundle bundle;
  for (int w = 0; w < 8; ++w) {
    bundle.add("logs/worker-" + std::to_string(w) + ".log", log_text(w));
  }
  bundle.add("core.17", std::string("\x7f"
                                    "ELF\2\1\1\0\0\0\0\0\0\0\0\0\4\0",
                                    18) +
                            std::string(100, '\1'));
  bundle.add("empty.log", "");
  return bundle;
}

std::string dump(Database& db) {
  std::string out;
  std::vector<std::string> tables;
  Result<Statement> names =
      db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
  REQUIRE(names.ok());
  while (*names->step()) tables.push_back(names->text(0));
  for (const std::string& table : tables) {
    Result<Statement> rows = db.prepare("SELECT * FROM " + table);
    REQUIRE(rows.ok());
    while (*rows->step()) {
      out += table;
      for (int c = 0; c < rows->column_count(); ++c) out += "|" + rows->text(c);
      out += "\n";
    }
  }
  return out;
}

std::string ingested(MemoryBundle& bundle, unsigned threads, IngestResult& result) {
  Result<Database> db = Database::create_in_memory();
  REQUIRE(db.ok());
  IngestOptions options;
  options.threads = threads;
  Result<IngestResult> got = ingest(bundle, {}, *db, options);
  REQUIRE(got.ok());
  result = std::move(*got);
  return dump(*db) + result.fingerprint;
}

}  // namespace

TEST_CASE("the store depends neither on threads nor on the order of members") {
  MemoryBundle bundle = eight_workers();
  IngestResult result;
  const std::string one = ingested(bundle, 1, result);
  CHECK(result.members == 10);
  CHECK_FALSE(result.evidence_lost);
  CHECK(result.series.size() == 8);
  CHECK(ingested(bundle, 4, result) == one);
  bundle.reverse();
  CHECK(ingested(bundle, 2, result) == one);
  CHECK(ingested(bundle, 1, result) == one);
}

TEST_CASE("members nobody reads are listed with the reason") {
  MemoryBundle bundle = eight_workers();
  IngestResult result;
  const std::string all = ingested(bundle, 1, result);
  CHECK(all.find("|core.17||||") != std::string::npos);
  CHECK(all.find("core file: not parsed") != std::string::npos);
  CHECK(all.find("empty file") != std::string::npos);
}

TEST_CASE("a failing medium keeps what came before and is reported") {
  MemoryBundle bundle = eight_workers();
  bundle.failing = "logs/worker-3.log";
  IngestResult result;
  const std::string all = ingested(bundle, 2, result);
  CHECK(result.evidence_lost);
  CHECK(result.series.size() == 8);
  CHECK(all.find("member-unreadable|data-loss") != std::string::npos);
}

}  // namespace tfpm
