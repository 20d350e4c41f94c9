// tfpm rules: the group of commands that work with rules.
#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/rules_commands.h"

namespace tfpm::cli {

void add_rules(CLI::App& app, Context& context) {
  CLI::App* group = app.add_subcommand("rules", "list, check, write, explain and try rules");
  group->require_subcommand(1);
  add_rules_list(*group, context);
  add_rules_check(*group, context);
  add_rules_new(*group, context);
  add_rules_explain(*group, context);
  add_rules_test(*group, context);
  for (CLI::App* command : group->get_subcommands({})) command->fallthrough();
}

}  // namespace tfpm::cli
