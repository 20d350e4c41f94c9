#include "parsers/checkpoint/keras_set.h"

#include <fmt/format.h>

#include <charconv>
#include <vector>

#include "parsers/checkpoint/member_name.h"
#include "parsers/checkpoint/phrases.h"

namespace tfpm {
namespace {

// "model.07-0.25.keras", "epoch_12.weights.h5": a number that is called an epoch or a step.
std::optional<std::int64_t> step_of(std::string_view name) {
  const std::string_view file = base_name(name);
  for (const std::string_view word : {"step", "ckpt", "checkpoint"}) {
    const std::size_t at = file.find(word);
    if (at == std::string_view::npos) continue;
    std::size_t begin = at + word.size();
    while (begin < file.size() && (file[begin] == '-' || file[begin] == '_')) ++begin;
    std::int64_t value = 0;
    const auto [end, error] =
        std::from_chars(file.data() + begin, file.data() + file.size(), value);
    if (error == std::errc() && value >= 0) return value;
  }
  return {};
}

// Where the rows of a file's checkpoint begin.
constexpr RowRef kCheckpoint{"checkpoint", 0};

}  // namespace

void KerasSet::add_name(std::string_view name) {
  const std::string_view file = base_name(name);
  const std::string folder(directory_of(name));
  if (file.starts_with("saved_model.") && file.find(".tmp") == std::string_view::npos) {
    exports_.insert(folder);
  }
  const bool beside = file == "fingerprint.pb" || file == "keras_metadata.pb" ||
                      file.starts_with("saved_model.pb.tmp");
  if (beside) export_folders_.insert(folder);
  if (base_name(folder) == "assets") export_folders_.insert(std::string(directory_of(folder)));
}

bool KerasSet::add_member(std::string_view path, std::string_view name, std::string_view head) {
  if (!is_keras_file(name, head, any_hdf5_)) return false;
  files_[std::string(path)].name = name;
  return true;
}

void KerasSet::read(std::string_view path, ByteStream& in) {
  File& file = files_.find(path)->second;
  file.reading = read_keras_file(file.name, in);
  file.came = true;
}

// saved_model.pb is written last. A folder of which only the variables were collected says nothing.
void KerasSet::judge_export(std::string_view prefix, CheckpointVerdict& verdict) const {
  constexpr std::string_view kVariables = "variables/variables";
  if (!prefix.ends_with(kVariables)) return;
  std::string_view folder = directory_of(directory_of(prefix));
  if (exports_.find(folder) != exports_.end()) return;
  if (export_folders_.find(folder) == export_folders_.end()) return;
  verdict.code = "saved-model-unfinished";
  verdict.problem =
      "no saved_model.pb beside the variables: the export ended before its last file, and only the "
      "values can be restored";
}

CheckpointSummary KerasSet::summarize(std::string_view path, const File& file) const {
  CheckpointSummary out;
  out.prefix = printable(path);
  out.step = step_of(file.name);
  out.completeness = file.came ? file.reading.verdict.completeness : "complete";
  out.integrity = file.came ? file.reading.verdict.integrity : "unknown";
  out.health = "unknown";
  out.problem = file.reading.verdict.problem;
  out.bytes = file.reading.bytes;
  if (out.usable()) return out;
  // Keras overwrites its backup in place; with double_checkpoint the one before is kept beside it.
  const auto backup = files_.find(std::string(path) + ".bkp");
  if (backup == files_.end() || !backup->second.came) return out;
  const CheckpointVerdict& other = backup->second.reading.verdict;
  if (other.completeness == "complete" && other.integrity != "crc-bad") {
    out.problem += "; " + name_of(path) + ".bkp beside it is whole: use that";
  }
  return out;
}

bool KerasSet::add_list_member(std::string_view path, std::string_view name,
                               std::string_view head) {
  if (!is_weight_map(name, head)) return false;
  List& list = lists_[std::string(path)];
  list.directory = directory_of(path);
  list.map.fault = "it was not read";
  return true;
}

void KerasSet::add_list(std::string_view path, std::string_view bytes) {
  lists_.find(path)->second.map = parse_weight_map(bytes);
}

void KerasSet::add_unread_list(std::string_view path, std::string_view reason) {
  lists_.find(path)->second.map.fault = reason;
}

// A shard of a list; nullptr in `file` = not there.
struct KerasSet::Sharded {
  struct Shard {
    std::string path;
    const File* file = nullptr;
  };
  std::string path;
  CheckpointSummary summary;
  std::vector<Shard> shards;
};

KerasSet::Sharded KerasSet::put_together(std::string_view path, const List& list) const {
  Sharded out;
  out.path = path;
  CheckpointSummary& summary = out.summary;
  summary.prefix = printable(path);
  summary.step = step_of(path);
  summary.completeness = list.map.fault.empty() ? "complete" : "index-unreadable";
  summary.integrity = summary.health = "unknown";
  if (!list.map.fault.empty()) {
    summary.problem = "the list of shards cannot be used: " + list.map.fault;
  }
  std::vector<std::string> missing;
  for (const auto& [name, variables] : list.map.files) {
    summary.tensors += variables;
    const std::string shard = list.directory.empty() ? name : list.directory + "/" + name;
    const auto found = files_.find(shard);
    out.shards.push_back({shard, found == files_.end() ? nullptr : &found->second});
    if (found == files_.end()) {
      missing.push_back(printable(name));
      continue;
    }
    const CheckpointSummary part = summarize(shard, found->second);
    summary.bytes += part.bytes;
    if (part.usable() || !summary.problem.empty()) continue;
    summary.completeness = part.completeness;
    summary.integrity = part.integrity;
    summary.problem = printable(name) + ": " + part.problem;
  }
  if (!missing.empty()) {
    summary.completeness = "shard-missing";
    summary.problem = fmt::format("{} of {} shards missing: {}", missing.size(), out.shards.size(),
                                  join_some(missing));
  }
  return out;
}

namespace {

Row checkpoint_row(const CheckpointSummary& summary, std::string_view path) {
  Row row{"checkpoint",
          {{"prefix", text_value(summary.prefix)},
           {"directory", text_value(printable(directory_of(path)))},
           {"format", text_value("keras")},
           {"completeness", text_value(summary.completeness)},
           {"integrity", text_value(summary.integrity)},
           {"health", text_value(summary.health)},
           {"use", text_value("unreferenced")},
           {"bytes", int_value(summary.bytes)}}};
  if (summary.step) {
    row.fields.push_back({"step", *summary.step});
    row.fields.push_back({"step_basis", text_value("suffix")});
  }
  if (!summary.problem.empty()) row.fields.push_back({"problem", summary.problem});
  return row;
}

Row shard_row(std::size_t number, const std::string& path, bool present, std::uint64_t bytes) {
  return {"checkpoint_shard",
          {{"checkpoint_id", kCheckpoint},
           {"shard", int_value(number)},
           {"path", text_value(path)},
           {"present", std::int64_t{present ? 1 : 0}},
           {"bytes", present ? int_value(bytes) : null_value()}}};
}

}  // namespace

void KerasSet::finish_file(std::string_view path, const File& file, CheckpointReport& out) const {
  CheckpointSummary summary = summarize(path, file);
  CheckpointGroup group;
  group.source = path;
  group.rows.push_back(checkpoint_row(summary, path));
  group.rows.push_back(shard_row(0, summary.prefix, true, file.reading.bytes));
  if (!file.reading.verdict.code.empty()) {
    group.problems.push_back({file.reading.verdict.code, ProblemSeverity::kNotice,
                              file.reading.fault_at, summary.prefix + ": " + summary.problem});
  }
  out.groups.push_back(std::move(group));
  out.summaries.push_back(std::move(summary));
}

void KerasSet::finish_list(const Sharded& sharded, CheckpointReport& out) const {
  const CheckpointSummary& summary = sharded.summary;
  CheckpointGroup group;
  group.source = sharded.path;
  Row row = checkpoint_row(summary, sharded.path);
  row.fields.push_back({"shards", int_value(sharded.shards.size())});
  row.fields.push_back({"tensors", int_value(summary.tensors)});
  group.rows.push_back(std::move(row));
  for (std::size_t i = 0; i < sharded.shards.size(); ++i) {
    const Sharded::Shard& shard = sharded.shards[i];
    group.rows.push_back(shard_row(i, printable(shard.path), shard.file != nullptr,
                                   shard.file != nullptr ? shard.file->reading.bytes : 0));
  }
  if (!summary.problem.empty()) {
    group.problems.push_back({"keras-shards", ProblemSeverity::kNotice, std::nullopt,
                              summary.prefix + ": " + summary.problem});
  }
  out.groups.push_back(std::move(group));
  out.summaries.push_back(summary);
}

void KerasSet::finish(CheckpointReport& out) const {
  std::set<const File*> in_lists;  // are no checkpoints by themselves
  for (const auto& [path, list] : lists_) {
    const Sharded sharded = put_together(path, list);
    for (const Sharded::Shard& shard : sharded.shards) in_lists.insert(shard.file);
    finish_list(sharded, out);
  }
  for (const auto& [path, file] : files_) {
    if (!in_lists.contains(&file)) finish_file(path, file, out);
  }
}

}  // namespace tfpm
