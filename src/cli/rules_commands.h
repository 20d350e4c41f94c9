// The commands below `tfpm rules`, one file each.
#pragma once

namespace CLI {
class App;
}

namespace tfpm::cli {

struct Context;

void add_rules_list(CLI::App& group, Context& context);
void add_rules_check(CLI::App& group, Context& context);
void add_rules_new(CLI::App& group, Context& context);
void add_rules_explain(CLI::App& group, Context& context);
void add_rules_test(CLI::App& group, Context& context);

}  // namespace tfpm::cli
