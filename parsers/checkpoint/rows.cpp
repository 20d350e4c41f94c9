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

// Unknown values are left out of a row.
template <typename T>
void add_known(Row& row, std::string_view column, const std::optional<T>& value) {
  if (value) row.fields.push_back({column, static_cast<std::int64_t>(*value)});
}

void add_known(Row& row, std::string_view column, std::string_view text) {
  if (!text.empty()) row.fields.push_back({column, text_value(text)});
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
  Row row{"checkpoint",
          {{"prefix", text_value(summary.prefix)},
           {"directory", text_value(printable(directory_of(checkpoint.prefix)))},
           {"format", text_value(format_of(checkpoint))},
           {"completeness", text_value(summary.completeness)},
           {"integrity", text_value(summary.integrity)},
           {"health", text_value(summary.health)},
           {"use", text_value(checkpoint.listed ? "in-state-file" : "unreferenced")}}};
  add_known(row, "step", summary.step);
  add_known(row, "step_basis", step.basis);
  add_known(row, "save_counter", step.save_counter);
  if (checkpoint.is_v1() || (checkpoint.index && checkpoint.index->parsed)) {
    const std::int32_t shards = checkpoint.is_v1() ? checkpoint.v1_count : checkpoint.shard_count();
    if (shards > 0) row.fields.push_back({"shards", std::int64_t{shards}});
    row.fields.push_back({"tensors", int_value(summary.tensors)});
    row.fields.push_back({"bytes", int_value(summary.bytes)});
  }
  add_known(row, "problem", summary.problem);
  return row;
}

Row shard_row(std::int32_t number, std::string_view path, bool present) {
  return {"checkpoint_shard",
          {{"checkpoint_id", kCheckpoint},
           {"shard", std::int64_t{number}},
           {"path", text_value(printable(path))},
           {"present", std::int64_t{present ? 1 : 0}}}};
}

void add_shard_rows(const Checkpoint& checkpoint, std::vector<Row>& rows) {
  for (const ShardExpectation& shard : shard_layout(checkpoint).shards) {
    const std::string path = shard_path(checkpoint, shard.number);
    Row row = shard_row(shard.number, path, shard.file != nullptr);
    if (shard.file != nullptr) add_known(row, "bytes", shard.file->size);
    if (checkpoint.index) row.fields.push_back({"expected", int_value(shard.expected)});
    rows.push_back(std::move(row));
  }
}

void add_v1_rows(const Checkpoint& checkpoint, std::vector<Row>& rows) {
  for (const auto& [number, file] : checkpoint.v1) {
    Row row = shard_row(number, file.path, true);
    add_known(row, "bytes", file.size);
    rows.push_back(std::move(row));
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
  Row row{"checkpoint_tensor",
          {{"checkpoint_id", kCheckpoint},
           {"name", std::move(label)},
           {"dtype", text_value(dtype_name(entry.dtype))},
           {"shape", text_value(to_text(entry.shape))},
           {"status", text_value(to_string(result.status))}}};
  if (has_place && !entry.partitioned()) {
    row.fields.push_back({"shard", std::int64_t{entry.shard}});
    row.fields.push_back({"byte_offset", entry.offset});
    row.fields.push_back({"bytes", entry.size});
    row.fields.push_back({"crc_stored", std::int64_t{entry.crc}});
  }
  add_known(row, "crc_actual", result.crc);
  add_known(row, "nonfinite", result.nonfinite);
  add_known(row, "first_nonfinite", result.first_nonfinite);
  return row;
}

}  // namespace

CheckpointGroup leftover_group(std::string_view source, const Leftover& leftover,
                               std::string_view prefix) {
  Row row{"checkpoint_leftover",
          {{"path", text_value(printable(leftover.path))}, {"kind", text_value(leftover.kind)}}};
  add_known(row, "prefix", std::string_view(printable(prefix)));
  return {std::string(source), {std::move(row)}, {}};
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
