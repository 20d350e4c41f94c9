#include "parsers/detail/tf_config.h"

#include <algorithm>
#include <map>
#include <utility>

#include "parsers/detail/json_text.h"
#include "parsers/detail/python_repr.h"
#include "parsers/detail/shell_quote.h"
#include "parsers/detail/text.h"
#include "parsers/detail/tf_config_value.h"

namespace tfpm {
namespace {

constexpr std::size_t kStoredText = 4000;

// Valid by the form's own rules?
bool read_strict(TfConfig& config, const std::string& text) {
  JsonText json = parse_json_text(text);
  if (!json.value) {
    note_error(config, json.error);
    return false;
  }
  config.valid_json = true;
  read_tf_config_value(config, *json.value);
  return true;
}

// What a value that is no JSON seems to say: Python quotes, text behind the closing brace, missing
// brackets at the end.
bool read_lenient(TfConfig& config, std::string_view text) {
  const std::size_t open = text.find('{');
  if (open == std::string_view::npos) return false;
  text.remove_prefix(open);
  const std::size_t length = balanced_length(text);
  const std::string whole =
      length > 0 ? std::string(text.substr(0, length)) : std::string(text) + missing_closers(text);
  const JsonText json = parse_json_text(python_repr_to_json(whole));
  if (!json.value) return false;
  read_tf_config_value(config, *json.value);
  return true;
}

// The first balanced {...} of a log message: JSON, or the dictionary a program printed.
void read_printed(TfConfig& config, std::string_view text) {
  const std::size_t open = text.find('{');
  if (open != std::string_view::npos) text.remove_prefix(open);
  const std::size_t length = open == std::string_view::npos ? 0 : balanced_length(text);
  if (length == 0) {
    note_error(config, "no complete {...} value");
    return;
  }
  text = text.substr(0, length);
  if (read_strict(config, std::string(text))) return;
  std::string strict_error = std::exchange(config.error, {});
  if (read_lenient(config, text)) {
    config.form = TfConfigForm::kRepr;
    config.valid_json = true;
  } else {
    config.error = std::move(strict_error);
  }
}

}  // namespace

std::string_view to_string(TfConfigForm form) {
  switch (form) {
    case TfConfigForm::kFile:
      return "file";
    case TfConfigForm::kEnv:
      return "env";
    case TfConfigForm::kLog:
      return "log";
    case TfConfigForm::kPod:
      return "pod";
    case TfConfigForm::kRepr:
      return "repr";
    case TfConfigForm::kSpec:
      return "spec";
  }
  return "file";
}

TfConfig parse_tf_config(std::string_view text, TfConfigForm form) {
  TfConfig config;
  config.form = form;
  text = trim(text.substr(0, std::min(text.size(), kMaxTfConfig)));
  config.text = std::string(text);
  if (text.empty()) {
    config.error = "the value is empty";
    return config;
  }
  if (form == TfConfigForm::kFile || form == TfConfigForm::kEnv) {
    if (!read_strict(config, config.text)) read_lenient(config, config.text);
    return config;
  }
  const std::string plain = without_escapes(config.text);
  if (form == TfConfigForm::kPod) {
    if (!read_strict(config, plain)) read_lenient(config, plain);
  } else {
    read_printed(config, plain);
  }
  return config;
}

void emit_tf_config(const TfConfig& config, const TfConfigPlace& place, Sink& sink) {
  const auto number = [](const std::optional<std::uint64_t>& v) {
    return v ? int_value(*v) : null_value();
  };
  const RowRef row = sink.add(
      "tf_config",
      {{"stream", place.stream ? Value(*place.stream) : null_value()},
       {"line", number(place.line)},
       {"byte_offset", number(place.byte_offset)},
       {"form", text_value(to_string(config.form))},
       {"owner", optional_value(place.owner)},
       {"valid_json", int_value(config.valid_json ? 1 : 0)},
       {"error", config.error.empty() ? null_value() : text_value(clean_utf8(config.error, 500))},
       {"task_type", optional_value(config.task_type)},
       {"task_index", optional_value(config.task_index)},
       {"task_index_text", optional_value(config.task_index_text)},
       {"cluster", optional_value(config.cluster)},
       {"text", text_value(clean_utf8(config.text, kStoredText))}});
  std::map<std::pair<std::string, std::int64_t>, bool> seen;
  for (const ClusterTask& task : config.tasks) {
    if (!seen.emplace(std::pair(task.type, task.index), true).second) continue;
    sink.add("cluster_task", {{"tf_config_id", row},
                              {"task_type", text_value(task.type)},
                              {"task_index", Value(task.index)},
                              {"address", text_value(task.address)}});
  }
}

}  // namespace tfpm
