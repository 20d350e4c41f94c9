#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "bundle/bundle.h"
#include "ingest/checkpoint_intake.h"
#include "ingest/ingest.h"
#include "ingest/member_reader.h"
#include "ingest/parallel_walk.h"
#include "ingest/reader_literals.h"
#include "ingest/result_writer.h"
#include "ingest/spill_file.h"
#include "store/database.h"

namespace tfpm {
namespace {

// Calls the user's progress function, but not for every member of a bundle of many small ones.
class ProgressReporter {
 public:
  ProgressReporter(const ParallelWalk& walk, const IngestOptions& options)
      : walk_(walk), options_(options) {}

  void tick() {
    if (!options_.progress) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    const BundleProgress p = walk_.progress();
    options_.progress({p.bytes_done, p.bytes_total, p.members_done});
  }

 private:
  const ParallelWalk& walk_;
  const IngestOptions& options_;
  std::chrono::steady_clock::time_point last_{};
};

// Rows held in memory; those of further members wait in a temporary file.
constexpr std::size_t kMaxHeldBytes = std::size_t{64} << 20;

// Results of all members, by path; filled by several threads.
class Results {
 public:
  explicit Results(std::string folder) : file_(std::move(folder)) {}

  void put(MemberResult result) {
    result.rows.trim();
    const std::lock_guard lock(mutex_);
    held_ += result.rows.bytes();
    if (held_ > kMaxHeldBytes && status_.ok()) {
      held_ -= result.rows.bytes();
      status_ = result.rows.spill(file_);
    }
    std::string path = result.path;
    members_.insert_or_assign(std::move(path), std::move(result));
  }
  // What went wrong with the temporary file; call after the walk.
  const Status& status() const { return status_; }
  std::map<std::string, MemberResult>& members() { return members_; }

 private:
  std::mutex mutex_;
  SpillFile file_;  // must outlive the members
  Status status_;
  std::size_t held_ = 0;
  std::map<std::string, MemberResult> members_;
};

// Where the store is; a store in memory has no folder.
Result<std::string> folder_of(Database& db) {
  const auto file = db.query_text("SELECT file FROM pragma_database_list WHERE name = 'main'");
  if (!file.ok()) return file.status();
  const std::string path = file->value_or("");
  return path.substr(0, path.rfind('/') + 1) + ".";
}

}  // namespace

Result<IngestResult> ingest(Bundle& bundle, const std::vector<Signature>& signatures, Database& db,
                            const IngestOptions& options) {
  const Result<Matcher> matcher = Matcher::compile(signatures, kReaderLiterals);
  if (!matcher.ok()) return matcher.status();
  const std::vector<std::unique_ptr<Parser>> parsers = make_all_parsers();
  const unsigned threads = std::max(options.threads, 1U);
  CheckpointIntake checkpoints;
  std::vector<std::unique_ptr<MemberReader>> readers;
  for (unsigned t = 0; t < threads; ++t) {
    readers.push_back(std::make_unique<MemberReader>(parsers, *matcher, signatures, checkpoints));
  }
  ParallelWalk walk(bundle, threads);
  ProgressReporter reporter(walk, options);
  const auto tick = [&] { reporter.tick(); };
  const Result<std::string> folder = folder_of(db);
  if (!folder.ok()) return folder.status();
  Results results(*folder);
  std::vector<BundleProblem> problems;
  TFPM_RETURN_IF_ERROR(walk.run(
      [](const Member&) { return true; },
      [&](const Member& member, unsigned worker) { results.put(readers[worker]->read(member)); },
      [&](const BundleProblem& problem) { problems.push_back(problem); }, tick));
  TFPM_RETURN_IF_ERROR(results.status());
  TFPM_RETURN_IF_ERROR(checkpoints.read_shards(walk, results.members(), tick));
  checkpoints.finish(results.members());
  IngestResult out;
  TFPM_RETURN_IF_ERROR(ResultWriter(db).write(results.members(), problems, out));
  return out;
}

}  // namespace tfpm
