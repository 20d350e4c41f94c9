#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bundle/bundle.h"
#include "ingest/ingest.h"
#include "ingest/member_reader.h"
#include "ingest/reader_literals.h"
#include "ingest/result_writer.h"

namespace tfpm {
namespace {

// Calls the user's progress function, but not for every member of a bundle of many small ones.
class ProgressReporter {
 public:
  ProgressReporter(const Bundle& bundle, const IngestOptions& options)
      : bundle_(bundle), options_(options) {}

  void tick() {
    if (!options_.progress) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    const BundleProgress p = bundle_.progress();
    options_.progress({p.bytes_done, p.bytes_total, p.members_done});
  }

 private:
  const Bundle& bundle_;
  const IngestOptions& options_;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace

Result<IngestResult> ingest(Bundle& bundle, const std::vector<Signature>& signatures, Database& db,
                            const IngestOptions& options) {
  const Result<Matcher> matcher = Matcher::compile(signatures, kReaderLiterals);
  if (!matcher.ok()) return matcher.status();
  const std::vector<std::unique_ptr<Parser>> parsers = make_all_parsers();
  CheckpointIntake checkpoints;
  MemberReader reader(parsers, *matcher, signatures, checkpoints);
  ProgressReporter progress(bundle, options);
  std::map<std::string, MemberResult> members;
  std::vector<BundleProblem> problems;
  const Status walked = bundle.for_each(
      [&](Member& member) {
        members.insert_or_assign(member.path, reader.read(member));
        progress.tick();
        return ok_status();
      },
      [&](const BundleProblem& problem) { problems.push_back(problem); });
  if (!walked.ok()) return walked;
  TFPM_RETURN_IF_ERROR(checkpoints.read_shards(bundle, members, [&] { progress.tick(); }));
  checkpoints.finish(members);
  IngestResult result;
  TFPM_RETURN_IF_ERROR(ResultWriter(db).write(members, problems, result));
  return result;
}

}  // namespace tfpm
