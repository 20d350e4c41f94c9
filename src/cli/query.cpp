// tfpm query: read-only SQL.
#include <memory>
#include <optional>
#include <utility>

#include "cli/command_line.h"
#include "cli/database_path.h"
#include "cli/read_only_sql.h"
#include "cli/terminal.h"

namespace tfpm::cli {
namespace {

struct QueryOptions {
  std::string database;
  std::string sql;
  std::string format = "table";
};

Result<int> run(const QueryOptions& options) {
  Result<Database> db = open_database(options.database);
  if (!db.ok()) return db.status();
  const TableFormat format = table_format(options.format).value_or(TableFormat::kTable);
  // A query may have no end: it stops when nobody reads on.
  bool closed = false;
  const TableWriter::Output output = [&closed](std::string_view text) -> Status {
    const Result<bool> open = stream_to_stdout(text);
    if (!open.ok()) return open.status();
    closed = !*open;
    return closed ? error(ErrorKind::kIo, "the reader closed the pipe") : ok_status();
  };
  std::optional<TableWriter> writer;
  const RowHandler handler{[&](std::vector<std::string> columns) {
                             writer.emplace(format, std::move(columns), output);
                             return ok_status();
                           },
                           [&](std::vector<Value> row) { return writer->add(std::move(row)); }};
  Status status = run_read_only(*db, options.sql, handler);
  if (status.ok() && writer) status = writer->finish();
  if (!status.ok() && !closed) return status;
  return kExitOk;
}

}  // namespace

void add_query(Command app, Context& context) {
  const Command command = app.add("query", "run read-only SQL on a database");
  auto options = std::make_shared<QueryOptions>();
  command.option("DB", options->database, "tfpm.db or the directory that holds it").required();
  command.option("SQL", options->sql, "one SELECT; `tfpm schema` lists the tables").required();
  command.option("--format", options->format, "table, csv, json, md")
      .one_of({"table", "csv", "json", "md"})
      .preset("table");
  command.action(context, [options] { return run(*options); });
}

}  // namespace tfpm::cli
