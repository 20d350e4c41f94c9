// tfpm rules check: every rule parses, every sample does what it says.
#include <fmt/format.h>

#include <memory>

#include "cli/command_line.h"
#include "cli/rules_commands.h"
#include "cli/terminal.h"
#include "engine/rules.h"

namespace tfpm::cli {
namespace {

// All that is wrong, not only the first: somebody is going to fix all of it.
Result<std::vector<Status>> all_complaints(const RuleSet& rules) {
  Result<std::vector<Status>> out = broken_analyses(rules.analyses);
  if (!out.ok()) return out;
  for (const Signature& signature : rules.signatures) {
    const Status status = check_samples(signature);
    if (!status.ok()) out->push_back(status);
  }
  return out;
}

Result<int> run(const std::optional<std::string>& dir, bool quiet) {
  const Result<RuleSet> rules = load_rules(dir);
  if (!rules.ok()) return rules.status();
  const Result<std::vector<Status>> complaints = all_complaints(*rules);
  if (!complaints.ok()) return complaints.status();
  for (const Status& complaint : *complaints) {
    write_stderr(printable_lines(complaint.diagnostic().to_string()) + "\n");
  }
  if (!complaints->empty()) {
    const std::size_t n = complaints->size();
    return error(ErrorKind::kRule,
                 fmt::format("{} {} broken", n, n == 1 ? "rule is" : "rules are"));
  }
  std::size_t samples = 0;
  for (const Signature& s : rules->signatures) samples += s.samples.size() + s.non_samples.size();
  if (!quiet) {
    TFPM_RETURN_IF_ERROR(write_stdout(
        fmt::format("{} signatures with {} samples and {} analyses: all good, rules hash {}\n",
                    rules->signatures.size(), samples, rules->analyses.size(), rules->hash)));
  }
  return kExitOk;
}

}  // namespace

void add_rules_check(Command group, Context& context) {
  const Command command =
      group.add("check", "parse all rules, run the samples of signatures and the SQL");
  auto dir = std::make_shared<std::optional<std::string>>();
  command.option("DIR,--rules", *dir, "directory laid over the built-in rules");
  command.footer("Exit codes: 0 all good, 2 a rule is broken");
  command.action(context, [&context, dir] { return run(*dir, context.global.quiet); });
}

}  // namespace tfpm::cli
