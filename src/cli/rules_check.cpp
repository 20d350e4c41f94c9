// tfpm rules check: every rule parses, every sample does what it says.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.h"
#include "cli/rules_commands.h"
#include "cli/terminal.h"
#include "engine/rules.h"

namespace tfpm::cli {
namespace {

Result<int> run(const std::optional<std::string>& dir, bool quiet) {
  const Result<RuleSet> rules = load_rules(dir);
  if (!rules.ok()) return rules.status();
  std::size_t samples = 0;
  int broken = 0;
  for (const Signature& signature : rules->signatures) {
    samples += signature.samples.size() + signature.non_samples.size();
    const Status status = check_samples(signature);
    if (status.ok()) continue;
    // All of them at once: somebody is going to fix them all.
    write_stderr(status.diagnostic().to_string() + "\n");
    ++broken;
  }
  if (broken > 0) {
    return error(ErrorKind::kRule,
                 fmt::format("{} of {} signatures are wrong", broken, rules->signatures.size()));
  }
  if (!quiet) {
    TFPM_RETURN_IF_ERROR(write_stdout(
        fmt::format("{} signatures with {} samples and {} analyses: all good, rules hash {}\n",
                    rules->signatures.size(), samples, rules->analyses.size(), rules->hash)));
  }
  return kExitOk;
}

}  // namespace

void add_rules_check(CLI::App& group, Context& context) {
  CLI::App* command =
      group.add_subcommand("check", "parse all rules and run the samples of signatures");
  auto dir = std::make_shared<std::optional<std::string>>();
  command->add_option("DIR,--rules", *dir, "directory laid over the built-in rules");
  command->footer("Exit codes: 0 all good, 2 a rule is broken");
  command->callback([&context, dir] {
    context.action = [&context, dir] { return run(*dir, context.global.quiet); };
  });
}

}  // namespace tfpm::cli
