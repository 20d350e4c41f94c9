// The commands below `tfpm rules`, one file each.
#pragma once

namespace tfpm::cli {

class Command;
struct Context;

void add_rules_list(Command group, Context& context);
void add_rules_check(Command group, Context& context);
void add_rules_new(Command group, Context& context);
void add_rules_explain(Command group, Context& context);
void add_rules_test(Command group, Context& context);

}  // namespace tfpm::cli
