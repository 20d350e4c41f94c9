#include "parsers/detail/tf_config_value.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxTasks = 100'000;

void add_task(TfConfig& config, const std::string& type, std::int64_t index,
              const OrderedJson& address) {
  if (config.tasks.size() >= kMaxTasks) return;
  if (!address.is_string()) {
    note_error(config, "cluster." + type + "[" + std::to_string(index) + "] is no string");
    return;
  }
  config.tasks.push_back({type, index, address.get<std::string>()});
}

// One job of the cluster: a list of addresses, or an object from index to address (sparse).
void add_job(TfConfig& config, const std::string& type, const OrderedJson& job) {
  if (job.is_array()) {
    std::int64_t index = 0;
    for (const OrderedJson& address : job) add_task(config, type, index++, address);
  } else if (job.is_object()) {
    std::map<std::int64_t, const OrderedJson*> sparse;
    for (const auto& [key, address] : job.items()) {
      if (const auto index = parse_int(key)) {
        sparse[*index] = &address;
      } else {
        note_error(config,
                   fmt::format("cluster.{} has the key \"{}\", which is no task index", type, key));
      }
    }
    for (const auto& [index, address] : sparse) add_task(config, type, index, *address);
  } else {
    note_error(config, "cluster." + type + " is neither a list of addresses nor an object");
  }
}

std::string normalised_cluster(const std::vector<ClusterTask>& tasks) {
  std::string out;
  std::string_view type;
  std::int64_t expected = 0;
  for (const ClusterTask& task : tasks) {
    if (task.type != type || out.empty()) {
      out += (out.empty() ? "" : "|") + task.type + "=";
      type = task.type;
      expected = 0;
    } else {
      out += ",";
    }
    // A gap of a sparse cluster is written as its index, so that unequal clusters stay unequal.
    if (task.index != expected) out += std::to_string(task.index) + ":";
    out += task.address;
    expected = task.index + 1;
  }
  return out;
}

void read_index(TfConfig& config, const OrderedJson& index) {
  if (index.is_number_integer()) {
    config.task_index = index.get<std::int64_t>();
    return;
  }
  config.task_index_text = index.is_string() ? index.get<std::string>() : index.dump();
  if (index.is_string()) config.task_index = parse_int(trim(*config.task_index_text));
  if (!config.task_index) {
    note_error(config, "task.index is " + *config.task_index_text + ", which is no integer");
  }
}

}  // namespace

void note_error(TfConfig& config, std::string error) {
  if (config.error.empty()) config.error = std::move(error);
}

void read_cluster(TfConfig& config, const OrderedJson& cluster) {
  if (!cluster.is_object()) {
    note_error(config, "\"cluster\" is no object");
    return;
  }
  std::map<std::string, const OrderedJson*> jobs;
  for (const auto& [type, job] : cluster.items()) jobs[type] = &job;
  for (const auto& [type, job] : jobs) add_job(config, type, *job);
  config.cluster = normalised_cluster(config.tasks);
}

void read_tf_config_value(TfConfig& config, const OrderedJson& root) {
  if (!root.is_object()) {
    note_error(config, "the value is no JSON object");
    return;
  }
  const OrderedJson* cluster = find_member(root, "cluster");
  if (cluster == nullptr) cluster = find_member(root, "sparseCluster");
  if (cluster != nullptr) read_cluster(config, *cluster);
  const OrderedJson* task = find_member(root, "task");
  if (task == nullptr) return;
  if (!task->is_object()) {
    note_error(config, "\"task\" is no object");
    return;
  }
  if (const OrderedJson* type = find_member(*task, "type")) {
    if (type->is_string()) {
      config.task_type = type->get<std::string>();
    } else {
      note_error(config, "task.type is no string");
    }
  }
  if (const OrderedJson* index = find_member(*task, "index")) read_index(config, *index);
}

}  // namespace tfpm
