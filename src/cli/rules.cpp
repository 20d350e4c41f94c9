// tfpm rules: the group of commands that work with rules.

#include "cli/command_line.h"
#include "cli/rules_commands.h"

namespace tfpm::cli {

void add_rules(Command app, Context& context) {
  const Command group = app.add("rules", "list, check, write, explain and try rules");
  group.require_command();
  add_rules_list(group, context);
  add_rules_check(group, context);
  add_rules_new(group, context);
  add_rules_explain(group, context);
  add_rules_test(group, context);
}

}  // namespace tfpm::cli
