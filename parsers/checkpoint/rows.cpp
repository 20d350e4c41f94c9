#include "parsers/checkpoint/rows.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "parsers/checkpoint/layout.h"
#include "parsers/checkpoint/member_name.h"
#include "parsers/checkpoint/phrases.h"
#include "parsers/checkpoint/step.h"

namespace tfpm {
namespace {

constexpr RowRef kCheckpoint{"checkpoint", 0};

template <typename T>
Value optional_int(const std::optional<T>& value) {
  if (!value) return null_value();
  return static_cast<std::int64_t>(*value);
}

Value optional_text(std::string_view text) {
  return text.empty() ? null_value() : text_value(text);
}

std::string_view format_of(const Checkpoint& checkpoint) {
  if (checkpoint.is_v1()) return "v1";
  constexpr std::string_view kVariables = "variables/variables";
  const std::string_view prefix = checkpoint.prefix;
  const bool saved_model =
      prefix.ends_with(kVariables) &&
      (prefix.size() == kVariables.size() || prefix[prefix.size() - kVariables.size() - 1] == '/');
  return saved_model ? "saved-model" : "v2";
}

// Member the rows belong to.
std::string source_of(const Checkpoint& checkpoint) {
  if (checkpoint.index) return checkpoint.index->path;
  if (checkpoint.is_v1()) return checkpoint.v1.begin()->second.path;
  if (!checkpoint.shards.empty()) return checkpoint.shards.begin()->second.begin()->second.path;
  if (!checkpoint.leftovers.empty()) return checkpoint.leftovers.front().path;
  return checkpoint.state_path;
}

CheckpointSummary summarize(const Checkpoint& checkpoint, const CheckpointVerdict& verdict) {
  CheckpointSummary out;
  out.prefix = printable(checkpoint.prefix);
  out.completeness = verdict.completeness;
  out.integrity = verdict.integrity;
  out.health = verdict.health;
  out.problem = verdict.problem;
  for (const Tensor& tensor : checkpoint.tensors) {
    if (!tensor.entry.partitioned()) out.bytes += static_cast<std::uint64_t>(tensor.entry.size);
    if (!tensor.entry.part) {
      ++out.tensors;
      out.verified += tensor.result.status == TensorStatus::kOk ? 1 : 0;
    }
  }
  return out;
}

Row checkpoint_row(const Checkpoint& checkpoint, const CheckpointSummary& summary,
                   const CheckpointStep& step) {
  const bool counted = checkpoint.is_v1() || (checkpoint.index && checkpoint.index->parsed);
  const auto shards = static_cast<std::uint64_t>(checkpoint.is_v1() ? checkpoint.v1_count
                                                                    : checkpoint.shard_count());
  return {"checkpoint",
          {{"prefix", text_value(summary.prefix)},
           {"directory", text_value(printable(directory_of(checkpoint.prefix)))},
           {"format", text_value(format_of(checkpoint))},
           {"step", optional_int(summary.step)},
           {"step_basis", optional_text(step.basis)},
           {"save_counter", optional_int(step.save_counter)},
           {"completeness", text_value(summary.completeness)},
           {"integrity", text_value(summary.integrity)},
           {"health", text_value(summary.health)},
           {"use", text_value(checkpoint.listed ? "in-state-file" : "unreferenced")},
           {"shards", counted && shards > 0 ? int_value(shards) : null_value()},
           {"tensors", counted ? int_value(summary.tensors) : null_value()},
           {"bytes", counted ? int_value(summary.bytes) : null_value()},
           {"problem", optional_text(summary.problem)}}};
}

void add_shard_rows(const Checkpoint& checkpoint, std::vector<Row>& rows) {
  for (const ShardExpectation& shard : shard_layout(checkpoint).shards) {
    rows.push_back(
        {"checkpoint_shard",
         {{"checkpoint_id", kCheckpoint},
          {"shard", int_value(static_cast<std::uint64_t>(shard.number))},
          {"path", text_value(printable(shard_path(checkpoint, shard.number)))},
          {"present", int_value(shard.file != nullptr ? 1 : 0)},
          {"bytes", shard.file != nullptr ? optional_int(shard.file->size) : null_value()},
          {"expected", checkpoint.index ? int_value(shard.expected) : null_value()}}});
  }
}

void add_v1_rows(const Checkpoint& checkpoint, std::vector<Row>& rows) {
  for (const auto& [number, file] : checkpoint.v1) {
    rows.push_back({"checkpoint_shard",
                    {{"checkpoint_id", kCheckpoint},
                     {"shard", int_value(static_cast<std::uint64_t>(number))},
                     {"path", text_value(printable(file.path))},
                     {"present", int_value(1)},
                     {"bytes", optional_int(file.size)}}});
  }
}

// Names are primary keys, and a hostile index may hold two that print alike.
std::string unique_label(const Tensor& tensor, std::set<std::string>& used) {
  const std::string label = printable(tensor.entry.label());
  std::string out = label;
  for (int n = 2; !used.insert(out).second; ++n) out = fmt::format("{}#{}", label, n);
  return out;
}

Row tensor_row(const Tensor& tensor, std::string label, bool has_place) {
  const TensorEntry& entry = tensor.entry;
  const TensorResult& result = tensor.result;
  const bool placed = has_place && !entry.partitioned();
  const auto place = [&](std::int64_t value) -> Value {
    if (!placed) return null_value();
    return value;
  };
  return {"checkpoint_tensor",
          {{"checkpoint_id", kCheckpoint},
           {"name", std::move(label)},
           {"dtype", text_value(dtype_name(entry.dtype))},
           {"shape", text_value(to_text(entry.shape))},
           {"shard", place(entry.shard)},
           {"byte_offset", place(entry.offset)},
           {"bytes", place(entry.size)},
           {"crc_stored", place(entry.crc)},
           {"crc_actual", optional_int(result.crc)},
           {"status", text_value(to_string(result.status))},
           {"nonfinite", optional_int(result.nonfinite)},
           {"first_nonfinite", optional_int(result.first_nonfinite)}}};
}

}  // namespace

CheckpointGroup leftover_group(std::string_view source, const Leftover& leftover,
                               std::string_view prefix) {
  return {std::string(source),
          {{"checkpoint_leftover",
            {{"path", text_value(printable(leftover.path))},
             {"kind", text_value(leftover.kind)},
             {"prefix", optional_text(printable(prefix))}}}},
          {}};
}

CheckpointGroup checkpoint_group(const Checkpoint& checkpoint, const CheckpointVerdict& verdict,
                                 CheckpointSummary& summary) {
  CheckpointGroup out;
  out.source = source_of(checkpoint);
  summary = summarize(checkpoint, verdict);
  const CheckpointStep step = find_step(checkpoint);
  summary.step = step.step;
  out.rows.push_back(checkpoint_row(checkpoint, summary, step));
  if (checkpoint.is_v1()) {
    add_v1_rows(checkpoint, out.rows);
  } else {
    add_shard_rows(checkpoint, out.rows);
  }
  std::set<std::string> used;
  for (const Tensor& tensor : checkpoint.tensors) {
    out.rows.push_back(tensor_row(tensor, unique_label(tensor, used), !checkpoint.is_v1()));
  }
  if (!verdict.code.empty()) {
    out.problems.push_back({verdict.code, ProblemSeverity::kNotice, std::nullopt,
                            summary.prefix + ": " + verdict.problem});
  }
  return out;
}

}  // namespace tfpm
