// Writes the results of all members in path order: ids do not depend on who was read first.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bundle/bundle.h"
#include "ingest/cluster_writer.h"
#include "ingest/ingest.h"
#include "ingest/member_result.h"
#include "store/database.h"
#include "store/row_writer.h"

namespace tfpm {

class ResultWriter {
 public:
  // `db` must outlive the writer.
  explicit ResultWriter(Database& db) : writer_(db) {}

  // Writes everything of `members`, by path, and adds to `out`. Rows and series are taken out of
  // the members on the way. Call once.
  Status write(std::map<std::string, MemberResult>& members,
               const std::vector<BundleProblem>& problems, IngestResult& out);

 private:
  Status write_member(MemberResult& member, IngestResult& out);
  Status write_problem(const Problem& problem, IngestResult& out);
  Status write_bundle_problem(const BundleProblem& problem, IngestResult& out);

  RowWriter writer_;
  ClusterWriter clusters_;
  std::map<std::string, std::int64_t, std::less<>> source_ids_;
};

}  // namespace tfpm
