#include "parsers/profile/event_class.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

// Compared in lower case, from the front.
constexpr std::string_view kCollectiveOps[] = {
    "all-reduce",    "all-gather", "reduce-scatter", "collective-permute", "all-to-all",
    "collective-br", "megascale",  "allreduce",      "allgather",          "ncclkernel",
    "nccldevkernel", "nccl",       "horovod",
};
constexpr std::string_view kProducers[] = {
    "Iterator::",          "PrefetchProduce",
    "ParallelMapProduce",  "ParallelInterleaveProduce",
    "MapAndBatchProduce",  "ParallelBatchProduce",
    "ParseExampleProduce", "InstantiatedCapturedFunction::Run",
};
constexpr std::string_view kLaunches[] = {"culaunch", "cudalaunch", "hiplaunch", "cugraphlaunch",
                                          "cudagraphlaunch"};
// Op types of the host that move, start or wait, and compute nothing.
constexpr std::string_view kPlumbing[] = {
    "Iterator", "_Send",    "_Recv",       "_HostSend",       "_HostRecv",
    "_Arg",     "_Retval",  "RemoteCall",  "PartitionedCall", "StatefulPartitionedCall",
    "NoOp",     "Identity", "EagerPyFunc", "PyFunc",          "MultiDevice",
    "Optional", "Const",    "If",          "While",           "Merge",
    "Switch"};

bool starts_lower(std::string_view lower, std::string_view prefix) {
  return lower.substr(0, prefix.size()) == prefix;
}

template <typename List>
bool starts_with_any(std::string_view text, const List& list) {
  return std::any_of(std::begin(list), std::end(list),
                     [&](std::string_view p) { return text.substr(0, p.size()) == p; });
}

// MemcpyH2D, MEMCPYHtoD, MemcpyHToD ...: '2' and "to" are the same.
bool is_copy(std::string_view lower) {
  return starts_lower(lower, "memcpy") || contains(lower, "memcpyh2d") ||
         contains(lower, "memcpyd2h") || contains(lower, "memcpyhtod") ||
         contains(lower, "memcpydtoh");
}

bool is_collective_type(std::string_view type) {
  return type.substr(0, 10) == "Collective" || type.substr(0, 4) == "Nccl" ||
         type.substr(0, 7) == "Horovod";
}

}  // namespace

std::string_view to_string(EventClass c) {
  constexpr std::string_view kNames[] = {"other", "input-wait", "producer", "collective",
                                         "copy",  "launch",     "compute",  "memory"};
  return kNames[static_cast<std::size_t>(c)];
}

std::string_view op_type_of(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || name[colon - 1] == ':') return {};
  const std::string_view type = name.substr(colon + 1);
  const bool first = !type.empty() && (type[0] == '_' || (type[0] >= 'A' && type[0] <= 'Z'));
  if (!first || !std::all_of(type.begin(), type.end(), is_word)) return {};
  return type;
}

EventClass classify_host(std::string_view name) {
  if (name.substr(0, 15) == "IteratorGetNext") return EventClass::kInputWait;
  if (name == "MemoryAllocation" || name == "MemoryDeallocation") return EventClass::kMemory;
  if (starts_with_any(name, kProducers)) return EventClass::kProducer;
  const std::string lower = to_lower(name.substr(0, 64));
  const std::string_view type = op_type_of(name);
  if (!type.empty()) {
    if (type.substr(0, 15) == "IteratorGetNext") return EventClass::kInputWait;
    if (is_collective_type(type)) return EventClass::kCollective;
    return starts_with_any(type, kPlumbing) ? EventClass::kOther : EventClass::kCompute;
  }
  if (starts_with_any(std::string_view(lower), kLaunches)) return EventClass::kLaunch;
  if (is_copy(lower)) return EventClass::kCopy;
  // XLA's collectives on the host are ops; NCCL's names there are launches of kernels.
  if (starts_lower(lower, "nccl")) return EventClass::kLaunch;
  return starts_with_any(std::string_view(lower), kCollectiveOps) ? EventClass::kCollective
                                                                  : EventClass::kOther;
}

EventClass classify_device(std::string_view name) {
  const std::string lower = to_lower(name.substr(0, 64));
  if (starts_with_any(std::string_view(lower), kCollectiveOps) ||
      is_collective_type(op_type_of(name))) {
    return EventClass::kCollective;
  }
  const bool copy = is_copy(lower) || starts_lower(lower, "memset");
  return copy ? EventClass::kCopy : EventClass::kCompute;
}

bool is_copy_line(std::string_view line) {
  return contains(line, "(Memcpy") && !contains(line, "Compute");
}

bool is_derived_line(std::string_view line) {
  constexpr std::string_view kDerived[] = {"Steps",
                                           "XLA Modules",
                                           "Framework Ops",
                                           "TensorFlow Ops",
                                           "Framework Name Scope",
                                           "TensorFlow Name Scope",
                                           "Source code",
                                           "Launch Stats",
                                           "Host Offload Ops",
                                           "_counters_",
                                           "CUPTI overhead",
                                           "Sparse Core Steps",
                                           "Sparse Core Modules",
                                           "XLA TraceMe"};
  return std::find(std::begin(kDerived), std::end(kDerived), line) != std::end(kDerived);
}

}  // namespace tfpm
