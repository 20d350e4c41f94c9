// tfpm query: read-only SQL.
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <utility>

#include "cli/command.h"
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
  std::optional<TableWriter> writer;
  const RowHandler handler{[&](std::vector<std::string> columns) {
                             writer.emplace(format, std::move(columns), [](std::string_view text) {
                               return write_stdout(text);
                             });
                             return ok_status();
                           },
                           [&](std::vector<Value> row) { return writer->add(std::move(row)); }};
  TFPM_RETURN_IF_ERROR(run_read_only(*db, options.sql, handler));
  if (writer) TFPM_RETURN_IF_ERROR(writer->finish());
  return kExitOk;
}

}  // namespace

void add_query(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("query", "run read-only SQL on a database");
  auto options = std::make_shared<QueryOptions>();
  command->add_option("DB", options->database, "tfpm.db or the directory that holds it")
      ->required();
  command->add_option("SQL", options->sql, "one SELECT; `tfpm schema` lists the tables")
      ->required();
  command->add_option("--format", options->format, "table, csv, json, md")
      ->check(CLI::IsMember({"table", "csv", "json", "md"}))
      ->default_str("table");
  command->callback([&context, options] { context.action = [options] { return run(*options); }; });
}

}  // namespace tfpm::cli
