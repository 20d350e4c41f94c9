#include "engine/class_ids.h"

#include <algorithm>

namespace tfpm {
namespace {

constexpr std::string_view kClassIds[] = {
    "none",
    "undetermined",
    "user-exception",
    "native-crash",
    "silent-death",
    "node-lost",
    "oom-host",
    "oom-gpu",
    "hang-input",
    "hang-checkpoint",
    "hang-frozen",
    "hang-user-code",
    "diverged-control-flow",
    "uneven-data",
    "collective-fabric",
    "worker-missing",
    "tf-config-invalid",
    "tf-config-mismatch",
    "tf-config-duplicate-task",
    "tf-config-missing",
    "port-in-use",
    "network-unreachable",
    "device-mismatch",
    "nan",
    "checkpoint-corrupt",
    "checkpoint-incomplete",
    "replica-divergence",
    "checkpoint-two-writers",
    "checkpoint-mismatch",
    "checkpoint-write-failed",
    "input-data-corrupt",
    "sharding",
    "straggler",
    "input-bound",
    "network-bound",
    "host-bound",
    "version-mismatch",
    "environment",
    "hardware-gpu",
    "preempted",
    "evicted",
    "time-limit",
    "cancelled",
    "ps-lost",
    "ps-overloaded",
    "stale-gradients",
    "disk-full",
    "checkpoint-not-found",
    "input-unreadable",
    "tpu",
    "data-quality",
    "note",
};

}  // namespace

std::span<const std::string_view> class_ids() {
  return kClassIds;
}

bool is_class_id(std::string_view id) {
  return std::find(std::begin(kClassIds), std::end(kClassIds), id) != std::end(kClassIds);
}

bool is_remark(std::string_view id) {
  return id == "data-quality" || id == "note";
}

bool is_rule_id(std::string_view id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

}  // namespace tfpm
