#include "ingest/cluster_writer.h"

#include <xxhash.h>

#include <algorithm>
#include <string>

namespace tfpm {
namespace {

Value* find_value(Row& row, std::string_view column) {
  const auto field = std::find_if(row.fields.begin(), row.fields.end(),
                                  [&](const Field& f) { return f.column == column; });
  return field == row.fields.end() ? nullptr : &field->value;
}

// Everything the rows say, so that equal texts are equal clusters.
std::string content_of(const std::string& cluster, const std::vector<Row>& tasks) {
  std::string text = cluster;
  for (const Row& task : tasks) {
    for (const Field& f : task.fields) {
      text += '\0';
      if (const auto* s = std::get_if<std::string>(&f.value)) text += *s;
      if (const auto* i = std::get_if<std::int64_t>(&f.value)) text += std::to_string(*i);
    }
  }
  return text;
}

}  // namespace

bool ClusterWriter::begin(Row& row) {
  if (row.table != "tf_config") return false;
  const Value* cluster = find_value(row, "cluster");
  if (cluster == nullptr || !std::holds_alternative<std::string>(*cluster)) {
    // Nothing to refer to; the column of the parsers is none of the store's.
    std::erase_if(row.fields, [](const Field& f) { return f.column == "cluster"; });
    return false;
  }
  config_ = std::move(row);
  return true;
}

bool ClusterWriter::takes(Row& row) {
  if (row.table != "cluster_task") return false;
  if (config_) tasks_.push_back(std::move(row));
  return true;
}

Result<std::int64_t> ClusterWriter::id_of_cluster(RowWriter& out) {
  const std::string& cluster = std::get<std::string>(*find_value(*config_, "cluster"));
  const std::string content = content_of(cluster, tasks_);
  const XXH128_hash_t hash = XXH3_128bits(content.data(), content.size());
  const auto [known, fresh] = known_.try_emplace({hash.high64, hash.low64}, 0);
  if (!fresh) return known->second;
  const Result<std::int64_t> id = out.write({"cluster_spec", {{"text", text_value(cluster)}}});
  if (!id.ok()) return id;
  known->second = *id;
  for (Row& task : tasks_) {
    task.table = "cluster_address";
    for (Field& f : task.fields)
      if (f.column == "tf_config_id") f = {"cluster_id", Value(*id)};
    const Result<std::int64_t> written = out.write(task);
    if (!written.ok()) return written;
  }
  return id;
}

Status ClusterWriter::flush(RowWriter& out) {
  if (!config_) return ok_status();
  const Result<std::int64_t> id = id_of_cluster(out);
  if (!id.ok()) return id.status();
  for (Field& f : config_->fields)
    if (f.column == "cluster") f = {"cluster_id", Value(*id)};
  const Status status = out.write(*config_).status();
  config_.reset();
  tasks_.clear();
  return status;
}

}  // namespace tfpm
