#include "support/checkpoint_files.h"

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

#include "support/parse_text.h"

namespace tfpm::test {
namespace {

std::string shard_name(const std::string& prefix, int number, int count) {
  char suffix[40];
  std::snprintf(suffix, sizeof suffix, ".data-%05d-of-%05d", number, count);
  return prefix + suffix;
}

}  // namespace

void add_bundle(Files& files, const std::string& prefix, const BundleWriter& bundle, int shards,
                const TableOptions& options) {
  files[prefix + ".index"] = bundle.index(options);
  for (int i = 0; i < shards; ++i) files[shard_name(prefix, i, shards)] = bundle.shard(i);
}

CheckpointReport run_checkpoint_set(const Files& files, std::size_t chunk, bool backwards) {
  std::vector<std::pair<std::string, std::string>> members(files.begin(), files.end());
  if (backwards) std::reverse(members.begin(), members.end());
  CheckpointSet set;
  for (const auto& [path, bytes] : members) {
    const std::string_view head = std::string_view(bytes).substr(0, kSniffBytes);
    const std::string name = path.ends_with(".gz") ? path.substr(0, path.size() - 3) : path;
    if (set.add_member(path, name, bytes.size(), head)) set.add_content(path, bytes);
  }
  for (const auto& [path, bytes] : members) {
    if (!set.wants(path)) continue;
    MemoryStream in(bytes, chunk);
    set.read_shard(path, in);
  }
  return set.finish();
}

CheckpointSummary summary_of(const CheckpointReport& report, std::string_view prefix) {
  for (const CheckpointSummary& summary : report.summaries) {
    if (summary.prefix == prefix) return summary;
  }
  return {};
}

std::string state_of(const CheckpointReport& report, std::string_view prefix) {
  const CheckpointSummary summary = summary_of(report, prefix);
  return std::string(summary.completeness) + " " + std::string(summary.integrity) + " " +
         std::string(summary.health);
}

std::string rows_text(const CheckpointReport& report) {
  std::string out;
  for (const CheckpointGroup& group : report.groups) {
    for (const Row& row : group.rows) out += to_text(row) + "\n";
  }
  return out;
}

}  // namespace tfpm::test
