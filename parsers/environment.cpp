// Environment dumps: pip freeze, pip list, conda list, env, /proc/PID/environ, build information
// and version banners (log-formats.md 11).
#include <memory>
#include <set>

#include "parsers/detail/environment_lines.h"
#include "parsers/detail/json_text.h"
#include "parsers/detail/line_reader.h"
#include "parsers/detail/owner.h"
#include "parsers/detail/shell_quote.h"
#include "parsers/detail/text.h"
#include "parsers/detail/tf_config.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

using Kind = EnvironmentReader::Kind;

constexpr std::size_t kMaxVariable = std::size_t{1} << 20;
constexpr std::size_t kMaxJson = std::size_t{3} << 20;  // 15 times as much as values

bool is_well_known(std::string_view component) {
  eat(component, "env:");
  for (const std::string_view name :
       {"PATH", "HOME", "PWD", "USER", "LANG", "SHELL", "HOSTNAME", "SHLVL", "LD_LIBRARY_PATH",
        "TF_CONFIG", "CUDA_VISIBLE_DEVICES", "PYTHONUNBUFFERED"}) {
    if (component == name) return true;
  }
  return component.starts_with("TF_") || component.starts_with("NCCL_") ||
         component.starts_with("SLURM_") || component.starts_with("NVIDIA_") ||
         component.starts_with("KUBERNETES_");
}

bool has_upper_name(std::string_view component) {
  eat(component, "env:");
  return component.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string_view::npos;
}

// Lines of a value that spans lines: indented text, exported shell functions.
bool is_continuation(std::string_view line) {
  return line.starts_with(" ") || line.starts_with("\t") || line.starts_with("}") ||
         line.starts_with("BASH_FUNC_");
}

// pip list --format=json, conda list --json.
bool is_package_json(std::string_view head) {
  head = trim(head);
  return head.starts_with("[") && contains(head.substr(0, 400), "\"name\"") &&
         contains(head.substr(0, 600), "\"version\"") && !contains(head.substr(0, 600), "\"pid\"");
}

// NUL-separated, as in /proc/PID/environ.
bool is_environ(std::string_view head) {
  const std::size_t nul = head.find('\0');
  if (nul == std::string_view::npos) return false;
  return parse_assignment(head.substr(0, nul)).has_value();
}

// Rows of one source: the first statement about a component counts.
class EnvironmentRows {
 public:
  EnvironmentRows(std::optional<std::string> owner, Sink& sink)
      : owner_(std::move(owner)), sink_(sink) {}

  void add(const EnvironmentEntry& entry, std::uint64_t line) {
    if (!seen_.insert(entry.component).second) return;
    sink_.add("environment", {{"owner", optional_value(owner_)},
                              {"component", text_value(clean_utf8(entry.component, 300))},
                              {"version", text_value(entry.version)},
                              {"line", int_value(line)}});
  }
  void add_tf_config(std::string_view value, std::uint64_t line, std::uint64_t offset) {
    emit_tf_config(parse_tf_config(unquote_shell(value), TfConfigForm::kEnv),
                   {std::nullopt, line, offset, owner_}, sink_);
  }

 private:
  std::optional<std::string> owner_;
  Sink& sink_;
  std::set<std::string> seen_;
};

void parse_package_json(std::string_view text, EnvironmentRows& rows, Sink& sink) {
  const JsonText json = parse_json_text(text);
  if (!json.value) {
    sink.problem({"environment-json", ProblemSeverity::kDataLoss, std::nullopt,
                  "package list is no complete JSON: " + json.error});
    return;
  }
  for (const OrderedJson& item : *json.value) {
    const auto name = string_member(item, "name");
    const auto version = string_member(item, "version");
    if (!name || !version) continue;
    EnvironmentReader reader;
    for (const EnvironmentEntry& entry : reader.read(*name + "==" + *version).entries) {
      rows.add(entry, 1);
    }
  }
}

class EnvironmentParser : public Parser {
 public:
  std::string_view name() const override { return "environment"; }

  SniffScore sniff(const SniffInput& input) const override {
    const std::string_view head(input.head.data(), input.head.size());
    if (is_package_json(head)) return 80;
    // A journal's export is made of assignments, too.
    if (contains(head, "__REALTIME_TIMESTAMP=")) return 0;
    if (is_environ(head)) return 85;
    EnvironmentReader reader;
    std::size_t known = 0;
    std::size_t strong = 0;   // says what it is even outside a dump
    std::size_t foreign = 0;  // what an environment dump has no reason to hold
    for (const TextLine& line : split_lines(head, 400)) {
      if (line.unterminated && !input.complete) break;
      const EnvironmentReader::Line read = reader.read(line.text);
      if (read.kind == Kind::kNeutral) continue;
      if (read.kind != Kind::kBanner && is_continuation(line.text)) continue;
      const bool variable = read.kind == Kind::kVariable;
      if (variable && !has_upper_name(read.entries[0].component)) continue;
      ++(read.kind == Kind::kNone ? foreign : known);
      const bool named = !variable || is_well_known(read.entries[0].component);
      if (read.kind != Kind::kNone && named) ++strong;
    }
    // A log whose script prints its variables first stays a log.
    return strong > 0 && foreign * 12 <= known ? 80 : 0;
  }

  Status parse(const MemberInfo& member, ByteStream& in, Sink& sink) const override {
    EnvironmentRows rows(owner_from_path(member.path), sink);
    LineReader probe(in);
    const std::optional<TextLine> first = probe.next();
    if (first && is_environ(first->text)) {
      parse_environ(first->text, rows);
    } else if (first) {
      parse_lines(*first, probe, rows, sink);
    }
    finish_lines(probe, sink);
    return ok_status();
  }

 private:
  // /proc/PID/environ holds at most one LF-free block (values with line ends are cut there).
  static void parse_environ(std::string_view block, EnvironmentRows& rows) {
    for (const std::string_view variable : split(block, '\0')) {
      const auto assignment = parse_assignment(variable);
      if (!assignment) continue;
      EnvironmentReader reader;
      for (const EnvironmentEntry& entry : reader.read(variable).entries) rows.add(entry, 1);
      if (assignment->name == "TF_CONFIG") rows.add_tf_config(assignment->value, 1, 0);
    }
  }

  static void parse_lines(TextLine line, LineReader& lines, EnvironmentRows& rows, Sink& sink) {
    const bool json = is_package_json(line.text) || trim(line.text) == "[";
    std::string text;  // of a JSON list
    EnvironmentReader reader;
    std::string config;  // TF_CONFIG, which may span lines
    std::uint64_t config_line = 0;
    std::uint64_t config_offset = 0;
    const auto flush = [&] {
      if (config_line > 0) rows.add_tf_config(config, config_line, config_offset);
      config_line = 0;
    };
    for (std::optional<TextLine> at = line; at; at = lines.next()) {
      if (json) {
        if (text.size() < kMaxJson) text.append(at->text).append("\n");
        continue;
      }
      const auto assignment = parse_assignment(at->text);
      if (config_line > 0 && !assignment && config.size() < kMaxVariable) {
        config.append("\n").append(at->text);
        continue;
      }
      flush();
      if (assignment && assignment->name == "TF_CONFIG") {
        config = std::string(assignment->value);
        config_line = at->number;
        config_offset = at->offset;
      }
      for (const EnvironmentEntry& entry : reader.read(at->text).entries) {
        rows.add(entry, at->number);
      }
    }
    flush();
    if (json) parse_package_json(text, rows, sink);
  }
};

}  // namespace

std::unique_ptr<Parser> make_environment_parser() {
  return std::make_unique<EnvironmentParser>();
}

}  // namespace tfpm
