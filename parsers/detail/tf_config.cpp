#include "parsers/detail/tf_config.h"

#include <algorithm>
#include <map>
#include <utility>

#include "parsers/detail/json_text.h"
#include "parsers/detail/python_repr.h"
#include "parsers/detail/text.h"

namespace tfpm {
namespace {

constexpr std::size_t kStoredText = 4000;
constexpr std::size_t kMaxValue = std::size_t{1} << 20;  // longest value read
constexpr std::size_t kMaxTasks = 100'000;
constexpr int kMaxEscapeLevels = 3;

void note(TfConfig& config, std::string error) {
  if (config.error.empty()) config.error = std::move(error);
}

// One level of backslashes undone, as in a double-quoted shell word or a JSON string.
std::string unescape_once(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && i + 1 < text.size() &&
                        std::string_view("\"\\$`'").find(text[i + 1]) != std::string_view::npos;
    out += escape ? text[++i] : text[i];
  }
  return out;
}

// {\"cluster\": ...}: a value that was quoted once more on its way into the log or dump.
std::string without_escapes(std::string text) {
  for (int level = 0; level < kMaxEscapeLevels; ++level) {
    const std::size_t quote = text.find('"');
    if (quote == std::string::npos || quote == 0 || text[quote - 1] != '\\') break;
    text = unescape_once(text);
  }
  return text;
}

void add_task(TfConfig& config, const std::string& type, std::int64_t index,
              const OrderedJson& address) {
  if (config.tasks.size() >= kMaxTasks) return;
  if (!address.is_string()) {
    note(config, "cluster." + type + "[" + std::to_string(index) + "] is no string");
    return;
  }
  config.tasks.push_back({type, index, address.get<std::string>()});
}

// One job of the cluster: a list of addresses, or an object from index to address (sparse).
void add_job(TfConfig& config, const std::string& type, const OrderedJson& job) {
  if (job.is_array()) {
    std::int64_t index = 0;
    for (const OrderedJson& address : job) add_task(config, type, index++, address);
  } else if (job.is_object()) {
    std::map<std::int64_t, const OrderedJson*> sparse;
    for (const auto& [key, address] : job.items()) {
      if (const auto index = parse_int(key)) {
        sparse[*index] = &address;
      } else {
        note(config, "cluster." + type + " has the key \"" + key + "\", which is no task index");
      }
    }
    for (const auto& [index, address] : sparse) add_task(config, type, index, *address);
  } else {
    note(config, "cluster." + type + " is neither a list of addresses nor an object");
  }
}

std::string normalised_cluster(const std::vector<ClusterTask>& tasks) {
  std::string out;
  std::string_view type;
  std::int64_t expected = 0;
  for (const ClusterTask& task : tasks) {
    if (task.type != type || out.empty()) {
      out += (out.empty() ? "" : "|") + task.type + "=";
      type = task.type;
      expected = 0;
    } else {
      out += ",";
    }
    // A gap of a sparse cluster is written as its index, so that unequal clusters stay unequal.
    if (task.index != expected) out += std::to_string(task.index) + ":";
    out += task.address;
    expected = task.index + 1;
  }
  return out;
}

void read_cluster(TfConfig& config, const OrderedJson& cluster) {
  if (!cluster.is_object()) {
    note(config, "\"cluster\" is no object");
    return;
  }
  std::map<std::string, const OrderedJson*> jobs;
  for (const auto& [type, job] : cluster.items()) jobs[type] = &job;
  for (const auto& [type, job] : jobs) add_job(config, type, *job);
  config.cluster = normalised_cluster(config.tasks);
}

void read_index(TfConfig& config, const OrderedJson& index) {
  if (index.is_number_integer()) {
    config.task_index = index.get<std::int64_t>();
    return;
  }
  config.task_index_text = index.is_string() ? index.get<std::string>() : index.dump();
  if (index.is_string()) config.task_index = parse_int(trim(*config.task_index_text));
  if (!config.task_index) {
    note(config, "task.index is " + *config.task_index_text + ", which is no integer");
  }
}

void read_value(TfConfig& config, const OrderedJson& root) {
  if (!root.is_object()) {
    note(config, "the value is no JSON object");
    return;
  }
  const OrderedJson* cluster = find_member(root, "cluster");
  if (cluster == nullptr) cluster = find_member(root, "sparseCluster");
  if (cluster != nullptr) read_cluster(config, *cluster);
  const OrderedJson* task = find_member(root, "task");
  if (task == nullptr) return;
  if (!task->is_object()) {
    note(config, "\"task\" is no object");
    return;
  }
  if (const OrderedJson* type = find_member(*task, "type")) {
    if (type->is_string()) {
      config.task_type = type->get<std::string>();
    } else {
      note(config, "task.type is no string");
    }
  }
  if (const OrderedJson* index = find_member(*task, "index")) read_index(config, *index);
}

// Valid by the form's own rules?
bool read_strict(TfConfig& config, const std::string& text) {
  JsonText json = parse_json_text(text);
  if (!json.value) {
    note(config, json.error);
    return false;
  }
  config.valid_json = true;
  read_value(config, *json.value);
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
  read_value(config, *json.value);
  return true;
}

// The first balanced {...} of a log message: JSON, or the dictionary a program printed.
void read_printed(TfConfig& config, std::string_view text) {
  const std::size_t open = text.find('{');
  if (open != std::string_view::npos) text.remove_prefix(open);
  const std::size_t length = open == std::string_view::npos ? 0 : balanced_length(text);
  if (length == 0) {
    note(config, "no complete {...} value");
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

// "..., task_type = 'worker', task_id = 1" behind a cluster_spec.
void read_strategy_task(TfConfig& config, std::string_view rest) {
  if (const auto type = between(rest, "task_type = '", "'")) config.task_type = *type;
  const std::size_t at = rest.find("task_id = ");
  if (at == std::string_view::npos) return;
  rest.remove_prefix(at + 10);
  config.task_index = parse_int(eat_digits(rest));
}

std::optional<TfConfig> find_cluster_spec(std::string_view line, std::size_t* where) {
  const std::size_t at = line.find("cluster_spec = {");
  if (at == std::string_view::npos) return std::nullopt;
  const std::size_t begin = at + 15;
  const std::string_view value = line.substr(begin);
  const std::size_t length = balanced_length(value);
  if (length <= 2) return std::nullopt;  // cut, or the empty cluster of a single worker
  const JsonText json = parse_json_text(python_repr_to_json(value.substr(0, length)));
  if (!json.value) return std::nullopt;
  TfConfig config;
  config.form = TfConfigForm::kRepr;
  config.valid_json = true;
  config.text = std::string(value.substr(0, std::min(value.size(), kMaxValue)));
  read_cluster(config, *json.value);
  read_strategy_task(config, value.substr(length));
  if (where != nullptr) *where = begin;
  return config;
}

// A value printed as TF_CONFIG=value: what the variable holds, so judged strictly, unless a quoting
// layer of the log or a printed dictionary explains the form.
TfConfig parse_assigned(std::string_view word) {
  const std::string raw = unquote_shell(word);
  const std::string plain = without_escapes(raw);
  TfConfig config = parse_tf_config(plain, TfConfigForm::kEnv);
  config.form = TfConfigForm::kLog;
  const bool quoted_again = plain != raw;
  const bool dictionary = balanced_length(plain) == plain.size() && !contains(plain, "\"");
  if (!config.valid_json && (quoted_again || dictionary)) {
    TfConfig lenient = parse_tf_config(plain, TfConfigForm::kLog);
    if (lenient.valid_json) config = std::move(lenient);
  }
  config.text = std::string(word.substr(0, std::min(word.size(), kMaxValue)));
  return config;
}

// The word a shell would take as the value of an assignment at the front of `text`.
std::string_view assigned_word(std::string_view text) {
  if (text.starts_with("$'")) text.remove_prefix(1);
  if (text.empty() || (text[0] != '\'' && text[0] != '"')) return text;
  const char quote = text[0];
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      return text.substr(0, i + 1);
    }
  }
  return text;
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
  }
  return "file";
}

std::string unquote_shell(std::string_view value) {
  value = trim(value);
  if (eat(value, "$'")) {
    if (!value.empty() && value.back() == '\'') value.remove_suffix(1);
    return unescape_once(value);
  }
  if (value.size() >= 2 && value.front() == '\'' && value.back() == '\'') {
    return std::string(value.substr(1, value.size() - 2));
  }
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
    return unescape_once(value.substr(1, value.size() - 2));
  }
  return std::string(value);
}

TfConfig parse_tf_config(std::string_view text, TfConfigForm form) {
  TfConfig config;
  config.form = form;
  text = trim(text.substr(0, std::min(text.size(), kMaxValue)));
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

std::optional<TfConfig> find_tf_config(std::string_view line, std::size_t* where) {
  std::size_t at = line.find("TF_CONFIG");
  if (at == std::string_view::npos) return find_cluster_spec(line, where);
  at += 9;
  std::string_view rest = line.substr(at);
  const bool assignment = eat(rest, "=");
  if (assignment) {
    // `echo TF_CONFIG=$TF_CONFIG` of an unset variable prints nothing; a quoted or braced value is
    // the only thing sure to be one.
    const std::string_view word = assigned_word(rest);
    if (word.empty() || std::string_view("{'\"$").find(word[0]) == std::string_view::npos) {
      return std::nullopt;
    }
    if (!contains(word, "{")) return std::nullopt;
    if (where != nullptr) *where = at + 1;
    return parse_assigned(word);
  }
  const std::size_t open = rest.find('{');
  // Something like "TF_CONFIG environment variable: {": the brace must follow soon.
  if (open == std::string_view::npos || open > 64) return std::nullopt;
  if (where != nullptr) *where = at + open;
  return parse_tf_config(rest.substr(open), TfConfigForm::kLog);
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
