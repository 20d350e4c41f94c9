// tfpm rules explain: what one rule looks for and what it means.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/command_line.h"
#include "cli/rules_commands.h"
#include "cli/terminal.h"
#include "engine/rules.h"

namespace tfpm::cli {
namespace {

struct ExplainOptions {
  std::string id;
  std::optional<std::string> rules;
};

// 'name:   value', left out when there is nothing to say.
void fact(std::string& out, std::string_view name, const std::string& value) {
  if (!value.empty()) out += fmt::format("{:<10}{}\n", std::string(name) + ":", printable(value));
}

void facts(std::string& out, std::string_view name, const std::vector<std::string>& values) {
  for (const std::string& value : values) fact(out, name, value);
}

std::string with_cause(const std::string& failure_class, const std::string& cause) {
  return cause.empty() ? failure_class : failure_class + " / " + cause;
}

std::string explain(const Signature& s) {
  std::string out = fmt::format("{}: {}\n\n", s.id, s.title);
  fact(out, "kind", "signature: one message");
  fact(out, "role", std::string(to_string(s.role)));
  fact(out, "class", with_cause(s.failure_class, s.cause));
  fact(out, "severity", s.severity);
  for (const SignaturePattern& pattern : s.patterns) fact(out, "pattern", pattern.re);
  for (const auto& [name, meaning] : s.captures) fact(out, "captures", name + ": " + meaning);
  fact(out, "accuses", s.accuses);
  facts(out, "needs", s.needs);
  fact(out, "since", s.since);
  fact(out, "until", s.until);
  facts(out, "advice", s.advice);
  fact(out, "printed by", s.source);
  facts(out, "sample", s.samples);
  facts(out, "but not", s.non_samples);
  fact(out, "file", s.origin);
  return out;
}

std::string explain(const Analysis& a) {
  std::string out = fmt::format("{}: {}\n\n", a.id, a.title);
  fact(out, "kind", "analysis: a question to the database");
  fact(out, "class", with_cause(a.failure_class, a.cause));
  fact(out, "why", a.why);
  facts(out, "needs", a.needs);
  facts(out, "explains", a.explains);
  fact(out, "weight", fmt::format("{:g} dB unless a row says otherwise", a.weight_db));
  for (const AnalysisParam& p : a.params) {
    fact(out, "param", fmt::format("{} = {:g} {}: {}", p.name, p.value, p.unit, p.meaning));
  }
  fact(out, "file", a.origin);
  return out + "\n" + a.sql + (a.sql.ends_with('\n') ? "" : "\n");
}

template <typename Rules>
auto find_rule(const Rules& rules, const std::string& id) {
  return std::find_if(rules.begin(), rules.end(), [&](const auto& r) { return r.id == id; });
}

// Ids that hold the text, for a helpful refusal.
std::string similar(const RuleSet& rules, const std::string& id) {
  std::string out;
  int count = 0;
  const auto add = [&](const std::string& candidate) {
    if (candidate.find(id) == std::string::npos || ++count > 5) return;
    out += (out.empty() ? "did you mean " : ", ") + candidate;
  };
  for (const Signature& s : rules.signatures) add(s.id);
  for (const Analysis& a : rules.analyses) add(a.id);
  return out.empty() ? "`tfpm rules list` prints all ids" : out;
}

Result<int> run(const ExplainOptions& options) {
  const Result<RuleSet> rules = load_rules(options.rules);
  if (!rules.ok()) return rules.status();
  std::string out;
  const auto signature = find_rule(rules->signatures, options.id);
  if (signature != rules->signatures.end()) out += explain(*signature);
  const auto analysis = find_rule(rules->analyses, options.id);
  if (analysis != rules->analyses.end()) out += (out.empty() ? "" : "\n") + explain(*analysis);
  if (out.empty()) {
    return error(ErrorKind::kUsage, "no such rule", options.id, {}, similar(*rules, options.id));
  }
  TFPM_RETURN_IF_ERROR(write_stdout(out));
  return kExitOk;
}

}  // namespace

void add_rules_explain(Command group, Context& context) {
  const Command command = group.add("explain", "what a rule looks for and means");
  auto options = std::make_shared<ExplainOptions>();
  command.option("ID", options->id, "id of a signature or an analysis").required();
  command.option("--rules", options->rules, "directory laid over the built-in rules").type("DIR");
  command.action(context, [options] { return run(*options); });
}

}  // namespace tfpm::cli
