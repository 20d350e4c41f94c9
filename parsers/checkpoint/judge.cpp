#include "parsers/checkpoint/judge.h"

#include <algorithm>
#include <vector>

#include "parsers/checkpoint/layout.h"
#include "parsers/checkpoint/problem_text.h"

namespace tfpm {
namespace {

bool any_status(const Checkpoint& checkpoint, std::initializer_list<TensorStatus> wanted) {
  return std::any_of(checkpoint.tensors.begin(), checkpoint.tensors.end(), [&](const Tensor& t) {
    return std::find(wanted.begin(), wanted.end(), t.result.status) != wanted.end();
  });
}

std::string_view v1_completeness(const Checkpoint& checkpoint) {
  if (checkpoint.v1.size() < static_cast<std::size_t>(checkpoint.v1_count)) return "shard-missing";
  const bool all = std::all_of(checkpoint.v1.begin(), checkpoint.v1.end(),
                               [](const auto& file) { return file.second.readable; });
  return all ? "complete" : "index-unreadable";
}

std::string_view completeness_of(const Checkpoint& checkpoint) {
  if (checkpoint.is_v1()) return v1_completeness(checkpoint);
  if (!checkpoint.index) {
    if (!checkpoint.shards.empty()) return "data-no-index";
    return checkpoint.temp_saves.empty() && checkpoint.leftovers.empty() ? "absent" : "temp-only";
  }
  if (checkpoint.index->state != IndexState::kGood) return "index-unreadable";
  std::string_view out = "complete";
  for (const ShardExpectation& shard : shard_layout(checkpoint).shards) {
    if (shard.file == nullptr && shard.tensors > 0) return "shard-missing";
    if (shard.is_short()) out = "shard-short";
  }
  return out;
}

std::string_view integrity_of(const Checkpoint& checkpoint) {
  if (checkpoint.is_v1()) {
    const bool clean = std::all_of(checkpoint.v1.begin(), checkpoint.v1.end(), [](const auto& f) {
      return f.second.readable && f.second.faults.empty();
    });
    const bool read = std::any_of(checkpoint.v1.begin(), checkpoint.v1.end(),
                                  [](const auto& f) { return f.second.readable; });
    if (clean && v1_completeness(checkpoint) == "complete") return "crc-ok";
    return read && !clean ? "crc-bad" : "unknown";
  }
  // Contradictions inside the index are damage too: nobody can restore from it.
  if (any_status(checkpoint,
                 {TensorStatus::kCrcBad, TensorStatus::kOverlap, TensorStatus::kSizeMismatch})) {
    return "crc-bad";
  }
  if (!checkpoint.index || !checkpoint.index->parsed) return "unknown";
  if (!checkpoint.index->unread.empty()) return "unknown";
  if (checkpoint.index->state == IndexState::kPartial) return "crc-bad";
  const bool all_good =
      std::all_of(checkpoint.tensors.begin(), checkpoint.tensors.end(),
                  [](const Tensor& t) { return t.result.status == TensorStatus::kOk; });
  return all_good && checkpoint.index->state == IndexState::kGood ? "crc-ok" : "unknown";
}

std::string_view health_of(const Checkpoint& checkpoint, std::string_view integrity) {
  bool all_tested = integrity == "crc-ok";
  for (const Tensor& tensor : checkpoint.tensors) {
    if (tensor.entry.partitioned() || float_layout(tensor.entry.dtype).lane_bytes == 0) continue;
    // Values of damaged bytes say nothing of what was saved.
    const bool tested = tensor.result.status == TensorStatus::kOk && tensor.result.nonfinite;
    if (tested && *tensor.result.nonfinite > 0) return "nonfinite";
    all_tested = all_tested && tested;
  }
  return all_tested ? "finite" : "unknown";
}

struct Clause {
  std::string_view code;
  std::string text;
};

void add(std::vector<Clause>& clauses, std::string_view code, std::string text) {
  if (!text.empty()) clauses.push_back({code, std::move(text)});
}

std::vector<Clause> clauses_of(const Checkpoint& checkpoint, std::string_view completeness) {
  std::vector<Clause> out;
  if (completeness == "absent") add(out, "checkpoint-absent", describe_absent(checkpoint));
  if (completeness == "temp-only") add(out, "checkpoint-temp-only", describe_temp_only(checkpoint));
  if (completeness == "data-no-index") {
    add(out, "checkpoint-no-index", describe_data_without_index(checkpoint));
  }
  add(out, "checkpoint-v1-damaged", describe_v1(checkpoint));
  if (checkpoint.index && checkpoint.index->state != IndexState::kGood) {
    add(out, "checkpoint-index-damaged", describe_index(checkpoint));
  }
  if (checkpoint.header && !checkpoint.header->supported) {
    add(out, "checkpoint-unsupported", "its index is of a newer format version than 1");
  }
  if (checkpoint.index && checkpoint.index->parsed) {
    add(out, "checkpoint-shard-missing", describe_missing_shards(checkpoint));
    add(out, "checkpoint-shard-short", describe_short_shards(checkpoint));
    add(out, "checkpoint-crc-bad", describe_bad_tensors(checkpoint));
    add(out, "checkpoint-shard-long", describe_long_shards(checkpoint));
  }
  add(out, "checkpoint-mixed-shards", describe_shard_sets(checkpoint));
  add(out, "checkpoint-unreadable", describe_read_errors(checkpoint));
  add(out, "checkpoint-nonfinite", describe_nonfinite(checkpoint));
  return out;
}

}  // namespace

CheckpointVerdict judge(const Checkpoint& checkpoint) {
  CheckpointVerdict out;
  out.completeness = completeness_of(checkpoint);
  out.integrity = integrity_of(checkpoint);
  out.health = health_of(checkpoint, out.integrity);
  for (const Clause& clause : clauses_of(checkpoint, out.completeness)) {
    if (out.code.empty()) out.code = clause.code;
    if (!out.problem.empty()) out.problem += "; ";
    out.problem += clause.text;
  }
  return out;
}

}  // namespace tfpm
