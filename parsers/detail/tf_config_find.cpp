// TF_CONFIG inside log lines.
#include <algorithm>
#include <utility>

#include "parsers/detail/python_repr.h"
#include "parsers/detail/shell_quote.h"
#include "parsers/detail/text.h"
#include "parsers/detail/tf_config.h"
#include "parsers/detail/tf_config_value.h"

namespace tfpm {
namespace {

// "..., task_type = 'worker', task_id = 1" behind a cluster_spec.
void read_strategy_task(TfConfig& config, std::string_view rest) {
  if (const auto type = between(rest, "task_type = '", "'")) config.task_type = *type;
  const std::size_t at = rest.find("task_id = ");
  if (at == std::string_view::npos) return;
  rest.remove_prefix(at + 10);
  config.task_index = parse_int(eat_digits(rest));
}

// Place of the dictionary of a printed cluster: of the synchronous strategies, or the coordinator's
// of parameter servers (signatures.md, ps-strategy-init).
std::size_t cluster_begin(std::string_view line) {
  for (const std::string_view words : {"cluster_spec = {", "cluster_spec: ClusterSpec({"}) {
    const std::size_t at = line.find(words);
    if (at != std::string_view::npos) return at + words.size() - 1;
  }
  return std::string_view::npos;
}

std::optional<TfConfig> find_cluster_spec(std::string_view line, std::size_t* where) {
  const std::size_t begin = cluster_begin(line);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::string_view value = line.substr(begin);
  const std::size_t length = balanced_length(value);
  if (length <= 2) return std::nullopt;  // cut, or the empty cluster of a single worker
  const JsonText json = parse_json_text(python_repr_to_json(value.substr(0, length)));
  if (!json.value) return std::nullopt;
  TfConfig config;
  config.form = TfConfigForm::kRepr;
  config.valid_json = true;
  config.text = std::string(value.substr(0, std::min(value.size(), kMaxTfConfig)));
  read_cluster(config, *json.value);
  read_strategy_task(config, value.substr(length));
  if (!config.task_type) config.form = TfConfigForm::kSpec;
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
  config.text = std::string(word.substr(0, std::min(word.size(), kMaxTfConfig)));
  return config;
}

}  // namespace

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

}  // namespace tfpm
