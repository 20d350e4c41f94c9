// tfpm schema: the annotated database schema.

#include "cli/command_line.h"
#include "cli/terminal.h"
#include "store/database.h"

namespace tfpm::cli {

void add_schema(Command app, Context& context) {
  const Command command = app.add("schema", "print the annotated database schema");
  command.action(context, []() -> Result<int> {
    TFPM_RETURN_IF_ERROR(write_stdout(schema_text()));
    return kExitOk;
  });
}

}  // namespace tfpm::cli
