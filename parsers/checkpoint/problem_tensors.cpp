// Clauses about tensors: damaged bytes, contradictory entries, non-finite values.
#include <fmt/format.h>

#include <map>

#include "parsers/checkpoint/layout.h"
#include "parsers/checkpoint/phrases.h"
#include "parsers/checkpoint/problem_text.h"

namespace tfpm {
namespace {

struct ShardDamage {
  std::vector<const Tensor*> bad;
  std::uint64_t good = 0;
};

std::string describe_damage(const Tensor& tensor) {
  std::string out = fmt::format("{} ({} bytes at {}", short_label(tensor.entry), tensor.entry.size,
                                tensor.entry.offset);
  if (tensor.result.zero_pages > 0) {
    out += fmt::format(", {} of zeros", counted(tensor.result.zero_pages, "page"));
  }
  if (tensor.result.damage == StringDamage::kLengths) out += ", in the lengths of its strings";
  return out + ")";
}

// What the pattern of damage in one shard says about its cause.
std::string describe_cause(const ShardDamage& damage) {
  bool zeros = false;
  for (const Tensor* tensor : damage.bad) zeros = zeros || tensor->result.zero_pages > 0;
  if (zeros) return "pages of zeros are writes that never reached the disk, or holes of a copy";
  if (damage.good == 0 && damage.bad.size() > 1) {
    return "none of its tensors fits, so index and data are of different saves";
  }
  return "the length is right, so bytes were changed after they were written, or another save "
         "wrote over them";
}

std::string describe_contradictions(const Checkpoint& checkpoint) {
  std::vector<std::string> items;
  for (const Tensor& tensor : checkpoint.tensors) {
    const TensorStatus status = tensor.result.status;
    if (status == TensorStatus::kOverlap) {
      items.push_back(short_label(tensor.entry) + " lies over another tensor's bytes");
    } else if (status == TensorStatus::kSizeMismatch && tensor.entry.partitioned()) {
      items.push_back(short_label(tensor.entry) + " is not covered by its slices");
    } else if (status == TensorStatus::kSizeMismatch) {
      items.push_back(fmt::format("{} has {} bytes for {} of {}", short_label(tensor.entry),
                                  tensor.entry.size, to_text(tensor.entry.shape),
                                  dtype_name(tensor.entry.dtype)));
    }
  }
  return items.empty() ? std::string() : "the index contradicts itself: " + join_some(items);
}

}  // namespace

std::string describe_bad_tensors(const Checkpoint& checkpoint) {
  std::map<std::int32_t, ShardDamage> shards;
  for (const Tensor& tensor : checkpoint.tensors) {
    if (tensor.entry.partitioned()) continue;
    if (tensor.result.status == TensorStatus::kOk) ++shards[tensor.entry.shard].good;
    if (tensor.result.status == TensorStatus::kCrcBad) {
      shards[tensor.entry.shard].bad.push_back(&tensor);
    }
  }
  std::string out;
  for (const auto& [number, damage] : shards) {
    if (damage.bad.empty()) continue;
    std::vector<std::string> names;
    for (const Tensor* tensor : damage.bad) names.push_back(describe_damage(*tensor));
    if (!out.empty()) out += "; ";
    out += fmt::format(
        "{} of {} of {} {}: {}: {}", damage.bad.size(),
        counted(damage.bad.size() + damage.good, "tensor"), name_of(shard_path(checkpoint, number)),
        damage.bad.size() == 1 ? "does not match its checksum" : "do not match their checksums",
        join_some(names), describe_cause(damage));
  }
  const std::string contradictions = describe_contradictions(checkpoint);
  if (!out.empty() && !contradictions.empty()) out += "; ";
  return out + contradictions;
}

std::string describe_nonfinite(const Checkpoint& checkpoint) {
  std::vector<std::string> names;
  std::uint64_t floats = 0;
  for (const Tensor& tensor : checkpoint.tensors) {
    const TensorResult& result = tensor.result;
    if (tensor.entry.partitioned() || result.status != TensorStatus::kOk || !result.nonfinite) {
      continue;
    }
    ++floats;
    if (*result.nonfinite == 0) continue;
    const std::uint64_t lane = float_layout(tensor.entry.dtype).lane_bytes;
    const std::uint64_t values =
        lane == 0 ? 0 : static_cast<std::uint64_t>(tensor.entry.size) / lane;
    std::string place;
    if (result.first_nonfinite) place = fmt::format(", first at byte {}", *result.first_nonfinite);
    names.push_back(fmt::format("{} ({} of {} values{})", short_label(tensor.entry),
                                *result.nonfinite, values, place));
  }
  if (names.empty()) return {};
  return fmt::format(
      "{} of {} with NaN or Inf: {}: the files are sound, the values were bad when "
      "they were saved",
      names.size(), counted(floats, "float tensor"), join_some(names));
}

}  // namespace tfpm
