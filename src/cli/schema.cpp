// tfpm schema: the annotated database schema.
#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/terminal.h"
#include "store/database.h"

namespace tfpm::cli {

void add_schema(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("schema", "print the annotated database schema");
  command->callback([&context] {
    context.action = []() -> Result<int> {
      TFPM_RETURN_IF_ERROR(write_stdout(schema_text()));
      return kExitOk;
    };
  });
}

}  // namespace tfpm::cli
