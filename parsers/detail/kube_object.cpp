#include "parsers/detail/kube_object.h"

#include "parsers/detail/exit_lines.h"
#include "parsers/detail/kube_reason.h"
#include "parsers/detail/owner.h"
#include "parsers/detail/text.h"
#include "parsers/detail/tf_config.h"
#include "parsers/detail/time_text.h"

namespace tfpm {
namespace {

constexpr int kMaxListDepth = 4;

std::optional<std::int64_t> time_of(const OrderedJson& object, std::string_view key) {
  const auto text = string_member(object, key);
  if (!text) return std::nullopt;
  const auto stamp = leading_iso_time(*text);
  return stamp ? std::optional(stamp->time_us) : std::nullopt;
}

void emit(const ExitRecord& record, const TextPlace& place, Sink& sink) {
  emit_exit_record(record, place.text, place.line, place.byte_offset, sink);
}

// "worker-2" by the labels of the training operator, else by the pod's name.
std::optional<std::string> task_of_pod(const OrderedJson& pod, const std::string& name) {
  if (const OrderedJson* labels = find_path(pod, {"metadata", "labels"})) {
    for (const std::string_view prefix : {"training.kubeflow.org/", "tf-"}) {
      const auto type = string_member(*labels, std::string(prefix) + "replica-type");
      const auto index = string_member(*labels, std::string(prefix) + "replica-index");
      if (type && index) return to_lower(*type) + "-" + *index;
    }
  }
  return task_from_name(name);
}

// What is common to all records of a pod.
struct PodContext {
  ExitRecord base;
  TextLocator& locator;
  Sink& sink;
};

// One terminated state: how the container's incarnation `attempt` ended.
void emit_terminated(PodContext& pod, const OrderedJson& state, std::int64_t attempt) {
  const auto code = int_member(state, "exitCode");
  const TextPlace place =
      pod.locator.find("exitCode", code ? std::to_string(*code) : std::string());
  ExitRecord record = pod.base;
  record.attempt = attempt;
  record.reason = string_member(state, "reason");
  record.what = container_end(record.reason.value_or(""));
  if (code) set_exit_code(record, *code);
  if (const auto signal = int_member(state, "signal"); signal && *signal > 0) {
    set_signal(record, *signal);
  }
  record.time_us = time_of(state, "finishedAt");
  emit(record, place, pod.sink);
}

void emit_container(PodContext& pod, const OrderedJson& status) {
  const std::int64_t restarts = int_member(status, "restartCount").value_or(0);
  if (const OrderedJson* last = find_path(status, {"lastState", "terminated"})) {
    emit_terminated(pod, *last, restarts > 0 ? restarts - 1 : 0);
  }
  if (const OrderedJson* now = find_path(status, {"state", "terminated"})) {
    emit_terminated(pod, *now, restarts);
  } else if (const OrderedJson* running = find_path(status, {"state", "running"})) {
    ExitRecord record = pod.base;
    record.what = "started";
    record.attempt = restarts;
    record.time_us = time_of(*running, "startedAt");
    emit(record, pod.locator.find("startedAt", string_member(*running, "startedAt").value_or("")),
         pod.sink);
  } else if (const OrderedJson* waiting = find_path(status, {"state", "waiting"})) {
    const auto reason = string_member(*waiting, "reason");
    const auto what = waiting_state(reason.value_or(""));
    if (!what) return;
    ExitRecord record = pod.base;
    record.what = *what;
    record.reason = reason;
    emit(record, pod.locator.find("reason", *reason), pod.sink);
  }
}

void emit_tf_configs(PodContext& pod, const OrderedJson& spec) {
  const OrderedJson* containers = find_member(spec, "containers");
  if (containers == nullptr || !containers->is_array()) return;
  for (const OrderedJson& container : *containers) {
    const OrderedJson* env = find_member(container, "env");
    if (env == nullptr || !env->is_array()) continue;
    for (const OrderedJson& variable : *env) {
      const auto value = string_member(variable, "value");
      if (string_member(variable, "name") != "TF_CONFIG" || !value) continue;
      const TextPlace place = pod.locator.find("TF_CONFIG", "");
      emit_tf_config(parse_tf_config(*value, TfConfigForm::kPod),
                     {std::nullopt, place.line, place.byte_offset, pod.base.task}, pod.sink);
    }
  }
}

void emit_pod(const OrderedJson& object, TextLocator& locator, Sink& sink) {
  const OrderedJson* metadata = find_member(object, "metadata");
  if (metadata == nullptr) return;
  const std::string name = string_member(*metadata, "name").value_or("");
  PodContext pod{ExitRecord(), locator, sink};
  const auto deleted = time_of(*metadata, "deletionTimestamp");
  const TextPlace deletion = deleted ? locator.find("deletionTimestamp", "") : locator.here();
  pod.base.task = task_of_pod(object, name);
  if (const OrderedJson* spec = find_member(object, "spec")) {
    pod.base.host = string_member(*spec, "nodeName");
    emit_tf_configs(pod, *spec);
  }
  if (deleted) {
    ExitRecord record = pod.base;
    record.what = "terminating";
    record.time_us = deleted;
    emit(record, deletion, sink);
  }
  const OrderedJson* status = find_member(object, "status");
  if (status == nullptr) return;
  const OrderedJson* containers = find_member(*status, "containerStatuses");
  if (containers != nullptr && containers->is_array()) {
    for (const OrderedJson& container : *containers) emit_container(pod, container);
  }
  const auto reason = string_member(*status, "reason");
  if (const auto what = pod_end(reason.value_or(""))) {
    ExitRecord record = pod.base;
    record.what = *what;
    record.reason = reason;
    emit(record, locator.find("reason", *reason), sink);
  }
}

void emit_event(const OrderedJson& object, TextLocator& locator, Sink& sink) {
  const auto reason = string_member(object, "reason");
  auto message = string_member(object, "message");
  if (!message) message = string_member(object, "note");
  const auto what = event_meaning(reason.value_or(""), message.value_or(""));
  if (!what) return;
  ExitRecord record(*what);
  record.reason = reason;
  const OrderedJson* about = find_member(object, "involvedObject");
  if (about == nullptr) about = find_member(object, "regarding");
  if (about != nullptr) {
    const std::string name = string_member(*about, "name").value_or("");
    record.task = task_from_name(name);
    if (string_member(*about, "kind") == "Node") record.host = name;
  }
  for (const std::string_view key : {"lastTimestamp", "eventTime", "firstTimestamp"}) {
    if (!record.time_us) record.time_us = time_of(object, key);
  }
  emit(record, locator.find("reason", *reason), sink);
}

// What a training job declares and what its operator counted, per type of task:
// spec.tfReplicaSpecs.Worker, status.replicaStatuses.Worker.
void emit_replicas(const OrderedJson& object, TextLocator& locator, Sink& sink) {
  const OrderedJson* spec = find_member(object, "spec");
  if (spec == nullptr || !spec->is_object()) return;
  const OrderedJson* metadata = find_member(object, "metadata");
  const auto name = metadata != nullptr ? string_member(*metadata, "name") : std::nullopt;
  for (const auto& [key, replicas] : spec->items()) {
    if (!std::string_view(key).ends_with("ReplicaSpecs") || !replicas.is_object()) continue;
    for (const auto& [type, declared] : replicas.items()) {
      const TextPlace place = locator.find(type, "");
      const OrderedJson* counted = find_path(object, {"status", "replicaStatuses", type});
      const auto count = [counted](std::string_view what) {
        return counted != nullptr ? int_member(*counted, what) : std::nullopt;
      };
      sink.add("job_replica",
               {{"line", int_value(place.line)},
                {"byte_offset", int_value(place.byte_offset)},
                {"kind", text_value(string_member(object, "kind").value_or(""))},
                {"job", optional_value(name)},
                {"task_type", text_value(clean_utf8(to_lower(type), 100))},
                {"replicas", optional_value(int_member(declared, "replicas"))},
                {"restart_policy", optional_value(string_member(declared, "restartPolicy"))},
                {"active", optional_value(count("active"))},
                {"succeeded", optional_value(count("succeeded"))},
                {"failed", optional_value(count("failed"))}});
    }
  }
}

// TFJob, PyTorchJob, MPIJob, batch Job: their last condition says how all ended.
void emit_job(const OrderedJson& object, TextLocator& locator, Sink& sink) {
  emit_replicas(object, locator, sink);
  const OrderedJson* conditions = find_path(object, {"status", "conditions"});
  if (conditions == nullptr || !conditions->is_array()) return;
  for (const OrderedJson& condition : *conditions) {
    const auto type = string_member(condition, "type");
    if (string_member(condition, "status") != "True" || !type) continue;
    if (*type != "Failed" && *type != "Succeeded" && *type != "Complete") continue;
    ExitRecord record("job-end");
    record.reason = string_member(condition, "reason");
    if (record.reason == "DeadlineExceeded") record.what = "time-limit";
    record.time_us = time_of(condition, "lastTransitionTime");
    emit(record, locator.find("type", *type), sink);
  }
}

void emit_any(const OrderedJson& object, TextLocator& locator, Sink& sink, int depth) {
  if (const OrderedJson* items = find_member(object, "items")) {
    if (!items->is_array() || depth >= kMaxListDepth) return;
    for (const OrderedJson& item : *items) emit_any(item, locator, sink, depth + 1);
    return;
  }
  const std::string kind = string_member(object, "kind").value_or("");
  if (kind == "Pod") emit_pod(object, locator, sink);
  if (kind == "Event") emit_event(object, locator, sink);
  if (std::string_view(kind).ends_with("Job")) emit_job(object, locator, sink);
}

}  // namespace

void emit_kube_object(const OrderedJson& object, TextLocator& locator, Sink& sink) {
  emit_any(object, locator, sink, 0);
}

}  // namespace tfpm
