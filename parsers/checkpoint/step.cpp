#include "parsers/checkpoint/step.h"

#include <algorithm>
#include <array>
#include <utility>

#include "parsers/checkpoint/member_name.h"
#include "parsers/detail/wire.h"

namespace tfpm {
namespace {

constexpr std::string_view kAttributes = "/.ATTRIBUTES/";

// Counters of the training loop before those of an optimizer: an optimizer may be one of several.
constexpr std::array<std::pair<std::string_view, int>, 12> kStepNames = {{
    {"global_step", 9},
    {"step", 8},
    {"train_step", 8},
    {"training_step", 8},
    {"current_step", 8},
    {"train_counter", 7},
    {"_train_counter", 7},
    {"iterations", 6},
    {"_iterations", 6},
    {"iteration", 6},
    {"_iteration", 6},
    {"iter", 6},
}};

std::string_view object_path(std::string_view key) {
  return key.substr(0, key.find(kAttributes));
}

bool is_counter(const TensorEntry& entry) {
  return entry.shape.empty() && !entry.part && (entry.dtype == kDtInt64 || entry.dtype == kDtInt32);
}

// TrackableObject: f2 attributes {f2 full_name, f3 checkpoint_key}. Returns the key whose full name
// counts steps best.
void rank_attributes(std::string_view object, std::string_view& best_key, int& best) {
  WireReader in(object);
  while (in.next()) {
    if (!in.is(2, WireType::kBytes)) continue;
    std::string_view full_name;
    std::string_view key;
    WireReader attribute(in.bytes());
    while (attribute.next()) {
      if (attribute.is(2, WireType::kBytes)) full_name = attribute.bytes();
      if (attribute.is(3, WireType::kBytes)) key = attribute.bytes();
    }
    const int rank = step_name_rank(full_name);
    if (rank > best) {
      best = rank;
      best_key = key;
    }
  }
}

std::string_view counter_key_by_graph(std::string_view graph) {
  std::string_view key;
  int best = 0;
  WireReader in(graph);
  while (in.next()) {
    if (in.is(1, WireType::kBytes)) rank_attributes(in.bytes(), key, best);
  }
  return key;
}

const Tensor* best_counter(const Checkpoint& checkpoint) {
  const std::string_view by_graph =
      checkpoint.object_graph.empty() ? "" : counter_key_by_graph(checkpoint.object_graph);
  const Tensor* best = nullptr;
  int best_rank = 0;
  std::size_t best_depth = 0;
  for (const Tensor& tensor : checkpoint.tensors) {
    if (!is_counter(tensor.entry) || !tensor.result.scalar) continue;
    const std::string_view path = object_path(tensor.entry.name);
    const int rank = tensor.entry.name == by_graph ? 1 : step_name_rank(path);
    const auto depth = static_cast<std::size_t>(std::count(path.begin(), path.end(), '/'));
    if (rank == 0 || rank < best_rank || (rank == best_rank && depth >= best_depth)) continue;
    best = &tensor;
    best_rank = rank;
    best_depth = depth;
  }
  return best;
}

}  // namespace

int step_name_rank(std::string_view name) {
  std::string_view last = base_name(object_path(name));
  last = last.substr(0, last.find(':'));  // "iteration:0"
  for (const auto& [known, rank] : kStepNames) {
    if (last == known) return rank;
  }
  return 0;
}

bool needs_object_graph(const Checkpoint& checkpoint) {
  return std::none_of(checkpoint.tensors.begin(), checkpoint.tensors.end(), [](const Tensor& t) {
    return is_counter(t.entry) && step_name_rank(t.entry.name) > 0;
  });
}

CheckpointStep find_step(const Checkpoint& checkpoint) {
  CheckpointStep out;
  if (const Tensor* counter = best_counter(checkpoint)) {
    out.step = counter->result.scalar;
    out.basis = "tensor";
  } else if (const auto suffix = step_suffix(checkpoint.prefix)) {
    out.step = suffix;
    out.basis = "suffix";
  }
  for (const Tensor& tensor : checkpoint.tensors) {
    if (object_path(tensor.entry.name) == "save_counter" && is_counter(tensor.entry)) {
      out.save_counter = tensor.result.scalar;
    }
  }
  return out;
}

}  // namespace tfpm
