// tfpm rules list: everything that is loaded, one rule a line.
#include <memory>

#include "cli/command_line.h"
#include "cli/rules_commands.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "engine/rules.h"

namespace tfpm::cli {
namespace {

struct ListOptions {
  std::optional<std::string> rules;
  std::string format = "table";
};

Value text_or_null(const std::string& text) {
  return text.empty() ? null_value() : text_value(text);
}

Result<int> run(const ListOptions& options) {
  const Result<RuleSet> rules = load_rules(options.rules);
  if (!rules.ok()) return rules.status();
  Table table;
  table.columns = {"id", "kind", "role", "class", "severity", "title"};
  for (const Signature& s : rules->signatures) {
    table.rows.push_back({text_value(s.id), text_value("signature"), text_value(to_string(s.role)),
                          text_or_null(s.failure_class), text_value(s.severity),
                          text_value(s.title)});
  }
  for (const Analysis& a : rules->analyses) {
    table.rows.push_back({text_value(a.id), text_value("analysis"), null_value(),
                          text_or_null(a.failure_class), null_value(), text_value(a.title)});
  }
  const TableFormat format = table_format(options.format).value_or(TableFormat::kTable);
  TFPM_RETURN_IF_ERROR(write_stdout(to_text(table, format)));
  return kExitOk;
}

}  // namespace

void add_rules_list(Command group, Context& context) {
  const Command command = group.add("list", "all signatures and analyses, one a line");
  auto options = std::make_shared<ListOptions>();
  command.option("--rules", options->rules, "directory laid over the built-in rules").type("DIR");
  command.option("--format", options->format, "table, csv, json, md")
      .one_of({"table", "csv", "json", "md"})
      .preset("table");
  command.action(context, [options] { return run(*options); });
}

}  // namespace tfpm::cli
