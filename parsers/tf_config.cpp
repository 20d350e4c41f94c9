// TF_CONFIG as a file of its own: the JSON value, or lines TF_CONFIG=... and nothing else
// (formats.md 8.6).
#include "parsers/detail/tf_config.h"

#include <memory>

#include "parsers/detail/line_reader.h"
#include "parsers/detail/owner.h"
#include "parsers/detail/shell_quote.h"
#include "parsers/detail/text.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxFile = std::size_t{4} << 20;

bool is_its_name(std::string_view name) {
  return name == "tf_config" || name == "tf-config" || name == "tfconfig";
}

// The file itself or its folder is called tf_config: whatever it holds was meant as one.
bool named_like_it(std::string_view path) {
  const std::string lower = to_lower(path);
  const std::vector<std::string_view> parts = split(lower, '/');
  const std::string_view file = parts.back().substr(0, parts.back().find('.'));
  return is_its_name(file) || (parts.size() > 1 && is_its_name(parts[parts.size() - 2]));
}

// "TF_CONFIG=value", "export TF_CONFIG=value", "declare -x TF_CONFIG=value": the value.
std::optional<std::string_view> assignment(std::string_view line) {
  line = trim(line);
  eat(line, "export ");
  eat(line, "declare -x ");
  if (!eat(line, "TF_CONFIG=")) return std::nullopt;
  return line;
}

bool only_assignments(std::string_view head) {
  bool any = false;
  for (const TextLine& line : split_lines(head, 1000)) {
    const std::string_view text = trim(line.text);
    if (text.empty() || text[0] == '#') continue;
    if (!assignment(text)) return false;
    any = true;
  }
  return any;
}

// `"key": {`, in either kind of quotes. Logs of JSON lines also have keys "task" and "cluster",
// with names behind them.
bool has_object(std::string_view head, std::string_view key) {
  for (const char quote : {'"', '\''}) {
    const std::string quoted = quote + std::string(key) + quote;
    const std::size_t at = head.find(quoted);
    if (at == std::string_view::npos) continue;
    std::string_view rest = trim(head.substr(at + quoted.size()));
    if (eat(rest, ":") && trim(rest).starts_with("{")) return true;
  }
  return false;
}

class TfConfigParser : public Parser {
 public:
  std::string_view name() const override { return "tf-config"; }

  SniffScore sniff(const SniffInput& input) const override {
    const std::string_view head = trim({input.head.data(), input.head.size()});
    if (input.complete && only_assignments(head)) return 90;
    const bool named = named_like_it(input.path);
    if (named && input.complete && (head.empty() || head[0] == '{')) return 60;
    if (!head.starts_with("{")) return named && input.complete ? 30 : 0;
    const bool cluster = has_object(head, "cluster");
    const bool task = has_object(head, "task");
    // A cluster of thousands does not fit the head: then the name must help.
    return cluster && (input.complete ? task : named) ? 80 : 0;
  }

  Status parse(const MemberInfo& member, ByteStream& in, Sink& sink) const override {
    const std::optional<std::string> owner = owner_from_path(member.path);
    LineReader reader(in);
    std::string value;
    bool assigned = false;
    while (const auto line = reader.next()) {
      if (const auto text = assignment(line->text)) {
        assigned = true;
        emit_tf_config(parse_tf_config(unquote_shell(*text), TfConfigForm::kEnv),
                       {std::nullopt, line->number, line->offset, owner}, sink);
      } else if (!assigned && value.size() < kMaxFile) {
        value.append(line->text).append("\n");
      }
    }
    finish_lines(reader, sink);
    if (!assigned) {
      emit_tf_config(parse_tf_config(value, TfConfigForm::kFile), {std::nullopt, 1, 0, owner},
                     sink);
    }
    return ok_status();
  }
};

}  // namespace

std::unique_ptr<Parser> make_tf_config_parser() {
  return std::make_unique<TfConfigParser>();
}

}  // namespace tfpm
