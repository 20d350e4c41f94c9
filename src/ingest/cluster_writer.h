// Stores what a TF_CONFIG says of its cluster once, however many tasks say the same: a job of a
// thousand tasks prints a thousand clusters of a thousand addresses.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/row.h"
#include "base/status.h"
#include "store/row_writer.h"

namespace tfpm {

// Between the rows of a member and the store: holds a tf_config row back until the cluster_task
// rows behind it are there.
class ClusterWriter {
 public:
  // Takes a tf_config row that has a cluster; false for all other rows. Call flush() before.
  bool begin(Row& row);
  // Takes a cluster_task row; false for all other rows.
  bool takes(Row& row);
  // Writes what is held: the cluster, unless it is known, and the tf_config row that refers to it.
  Status flush(RowWriter& out);

 private:
  Result<std::int64_t> id_of_cluster(RowWriter& out);

  std::optional<Row> config_;
  std::vector<Row> tasks_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::int64_t>
      known_;  // cluster_spec.id by hash
};

}  // namespace tfpm
