#include "fault_bundle.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "align/align.h"
#include "engine/diagnose.h"
#include "ingest/ingest.h"
#include "report/report.h"

namespace tfpm::test {
namespace {

// Small reads, so that a fault falls between reads as well as into one.
class FaultSource : public ByteSource {
 public:
  FaultSource(std::string_view bytes, bool fails) : rest_(bytes), fails_(fails) {}
  Result<std::size_t> read(std::span<char> out) override {
    const std::size_t n = std::min({out.size(), rest_.size(), std::size_t{500}});
    if (n == 0 && fails_) {
      fails_ = false;
      return error(ErrorKind::kUnreadable, "reading failed", {}, "Input/output error");
    }
    std::copy_n(rest_.begin(), n, out.begin());
    rest_.remove_prefix(n);
    return n;
  }

 private:
  std::string_view rest_;
  bool fails_;
};

void require(const Status& status) {
  if (!status.ok()) FAIL(status.diagnostic().to_string());
}

std::string log_of(int task) {
  const std::string n = std::to_string(task);
  std::string out =
      "2026-03-05 14:05:10,000 INFO tensorflow: MultiWorkerMirroredStrategy with "
      "cluster_spec = {'worker': ['worker-0:2222', 'worker-1:2222']}, task_type = "
      "'worker', task_id = " +
      n + ", num_workers = 2\n";
  for (int step = 1; step < 5; ++step) {
    out += "2026-03-05 14:05:2" + std::to_string(step) + ",1" + n + "0 INFO train: step " +
           std::to_string(step) + " loss 0.5\n";
  }
  if (task == 1) {
    return out +
           "Traceback (most recent call last):\n  File \"/srv/train.py\", line 31, in <module>\n"
           "    label = table[key]\nKeyError: 'cat'\n";
  }
  return out +
         "W0000 00:00:1772719530.472828    6567 local_rendezvous.cc:412] Local rendezvous is "
         "aborting with status: UNAVAILABLE: Collective ops is aborted by: Socket closed\n"
         "Additional GRPC error information from remote target "
         "/job:worker/replica:0/task:1 while calling /tensorflow.WorkerService/RecvBuf:\n";
}

// Built-in rules, with the few signatures that small_job() can hit: compiling all of them would
// take most of a test's time.
RuleSet few_rules() {
  Result<RuleSet> rules = load_rules(std::nullopt);
  REQUIRE(rules.ok());
  std::vector<Signature> few;
  for (Signature& s : rules->signatures) {
    if (s.id.find("rendezvous") != std::string::npos || s.id.find("socket") != std::string::npos ||
        s.id.find("mwms") != std::string::npos) {
      few.push_back(std::move(s));
    }
  }
  REQUIRE_FALSE(few.empty());
  rules->signatures = std::move(few);
  return std::move(*rules);
}

Database memory_store() {
  Result<Database> db = Database::create_in_memory();
  REQUIRE(db.ok());
  return std::move(*db);
}

Outcome read_into(Bundle& bundle, const RuleSet& rules, Database& db) {
  Result<IngestResult> read = ingest(bundle, rules.signatures, db, {});
  require(read.status());
  require(align(db, std::move(read->series), {}));
  Outcome out;
  out.evidence_lost = read->evidence_lost;
  out.problems =
      db.query_int("SELECT count(*) FROM problem WHERE severity IN ('data-loss', 'error')")
          .value()
          .value_or(0);
  return out;
}

}  // namespace

Status FaultBundle::for_each(const Visit& visit, const OnProblem&) {
  for (const auto& [path, bytes] : files_) {
    const bool hit = path == fault_.path;
    FaultSource source(std::string_view(bytes).substr(0, hit ? fault_.at : bytes.size()),
                       hit && fault_.error);
    Member member;
    member.path = path;
    member.inner_name = path;
    member.content = &source;
    TFPM_RETURN_IF_ERROR(visit(member));
  }
  return ok_status();
}

std::map<std::string, std::string> small_job() {
  std::map<std::string, std::string> out;
  out["logs/launcher.log"] =
      "2026-03-05T14:05:01Z started worker-0 attempt 0 on worker-0 pid 6170\n"
      "2026-03-05T14:05:01Z started worker-1 attempt 0 on worker-1 pid 6171\n"
      "2026-03-05T14:05:31Z worker-1 attempt 0 exited with code 1\n"
      "2026-03-05T14:05:33Z worker-0 attempt 0 exited with code 1\n";
  for (const int task : {0, 1}) {
    const std::string n = std::to_string(task);
    out["logs/worker-" + n + ".log"] = log_of(task);
    out["tf_config/worker-" + n + ".json"] =
        R"({"cluster": {"worker": ["worker-0:2222", "worker-1:2222"]}, "task": {"type": )"
        R"("worker", "index": )" +
        n + "}}";
  }
  return out;
}

FaultRunner::FaultRunner() : rules_(few_rules()), db_(memory_store()) {
  // The loader's journal mode cannot roll back.
  require(db_.execute("COMMIT; PRAGMA journal_mode=MEMORY; BEGIN"));
}

Outcome FaultRunner::read(Bundle& bundle) {
  const Outcome out = read_into(bundle, rules_, db_);
  require(db_.execute("ROLLBACK; BEGIN"));
  return out;
}

Outcome FaultRunner::diagnose(Bundle& bundle) {
  Database db = memory_store();
  Outcome out = read_into(bundle, rules_, db);
  require(db.execute("INSERT INTO meta VALUES('bundle_name', 'faults')"));
  require(db.finish_loading());
  require(tfpm::diagnose(db, rules_));
  const Result<std::string> json = render_findings_json(db);
  require(json.status());
  require(render_markdown(db).status());
  out.findings_json = *json;
  return out;
}

}  // namespace tfpm::test
