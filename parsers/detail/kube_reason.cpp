#include "parsers/detail/kube_reason.h"

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

struct Meaning {
  std::string_view reason;
  std::string_view what;
};

template <std::size_t N>
std::optional<std::string_view> look_up(const Meaning (&table)[N], std::string_view reason) {
  for (const Meaning& meaning : table) {
    if (meaning.reason == reason) return meaning.what;
  }
  return std::nullopt;
}

constexpr Meaning kPod[] = {{"Evicted", "evicted"},
                            {"Preempting", "preempted"},
                            {"Preempted", "preempted"},
                            {"NodeShutdown", "preempted"},
                            {"Terminated", "preempted"},  // graceful node shutdown
                            {"Shutdown", "preempted"},
                            {"NodeLost", "node-fail"},
                            {"DeadlineExceeded", "time-limit"},
                            {"UnexpectedAdmissionError", "not-started"},
                            {"NodeAffinity", "not-started"},
                            {"OutOfcpu", "not-started"},
                            {"OutOfmemory", "not-started"},
                            {"OutOfnvidia.com/gpu", "not-started"}};
constexpr Meaning kWaiting[] = {
    {"ImagePullBackOff", "not-started"},     {"ErrImagePull", "not-started"},
    {"InvalidImageName", "not-started"},     {"CreateContainerConfigError", "not-started"},
    {"CreateContainerError", "not-started"}, {"RunContainerError", "not-started"}};
constexpr Meaning kEvents[] = {{"OOMKilling", "oom"},
                               {"SystemOOM", "oom"},
                               {"Evicted", "evicted"},
                               {"TaintManagerEviction", "preempted"},
                               {"EvictionThresholdMet", "evicted"},
                               {"Preempted", "preempted"},
                               {"Preempting", "preempted"},
                               {"NodeNotReady", "node-fail"},
                               {"NodeShutdown", "preempted"},
                               {"DeadlineExceeded", "time-limit"},
                               {"Killing", "terminating"},
                               {"Started", "started"},
                               {"FailedScheduling", "not-started"},
                               {"FailedMount", "not-started"},
                               {"FailedAttachVolume", "not-started"},
                               {"FailedCreatePodSandBox", "not-started"},
                               {"FailedCreate", "not-started"},
                               {"ErrImageNeverPull", "not-started"},
                               {"UnexpectedAdmissionError", "not-started"}};

}  // namespace

std::string_view container_end(std::string_view reason) {
  if (reason == "OOMKilled") return "oom";
  if (reason == "DeadlineExceeded") return "time-limit";
  if (reason == "ContainerCannotRun" || reason == "StartError") return "not-started";
  return "exited";
}

std::optional<std::string_view> pod_end(std::string_view reason) {
  return look_up(kPod, reason);
}

std::optional<std::string_view> waiting_state(std::string_view reason) {
  return look_up(kWaiting, reason);
}

std::optional<std::string_view> event_meaning(std::string_view reason, std::string_view message) {
  // "Failed" and "BackOff" are also said of containers that ran; what keeps one from starting is
  // a pull, or a command that the runtime cannot start.
  if (reason == "Failed" || reason == "BackOff") {
    const bool image = contains(message, "image") || contains(message, "Image");
    const bool runtime = contains(message, "failed to start container") ||
                         contains(message, "failed to create containerd task");
    return image || runtime ? std::optional<std::string_view>("not-started") : std::nullopt;
  }
  return look_up(kEvents, reason);
}

}  // namespace tfpm
