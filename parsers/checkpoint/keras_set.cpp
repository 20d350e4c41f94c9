#include "parsers/checkpoint/keras_set.h"

#include <charconv>

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

void KerasSet::finish(CheckpointReport& out) const {
  for (const auto& [path, file] : files_) {
    CheckpointSummary summary = summarize(path, file);
    CheckpointGroup group;
    group.source = path;
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
    group.rows.push_back(std::move(row));
    group.rows.push_back({"checkpoint_shard",
                          {{"checkpoint_id", kCheckpoint},
                           {"shard", std::int64_t{0}},
                           {"path", text_value(summary.prefix)},
                           {"present", std::int64_t{1}},
                           {"bytes", int_value(file.reading.bytes)}}});
    if (!file.reading.verdict.code.empty()) {
      group.problems.push_back({file.reading.verdict.code, ProblemSeverity::kNotice,
                                file.reading.fault_at, summary.prefix + ": " + summary.problem});
    }
    out.groups.push_back(std::move(group));
    out.summaries.push_back(std::move(summary));
  }
}

}  // namespace tfpm
