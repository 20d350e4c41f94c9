#include "store/row_writer.h"

#include <fmt/format.h>

namespace tfpm {

void RowWriter::begin_source(std::int64_t source_id) {
  source_id_ = source_id;
  in_source_ = true;
  for (auto& [name, table] : tables_) table.first_of_source = table.next_id;
}

Result<RowWriter::Table*> RowWriter::table(std::string_view name) {
  auto it = tables_.find(name);
  if (it == tables_.end()) it = tables_.emplace(std::string(name), Table{}).first;
  Table& table = it->second;
  if (table.known) return &table;
  Result<Statement> info = db_.prepare("SELECT name, pk FROM pragma_table_info(?1)");
  if (!info.ok()) return info.status();
  info->bind(1, name);
  bool any = false;
  while (true) {
    const Result<bool> row = info->step();
    if (!row.ok()) return row.status();
    if (!*row) break;
    any = true;
    if (info->as_text(0) == "id" && info->as_int(1) == 1) table.has_id = true;
    if (info->as_text(0) == "source_id") table.has_source = true;
  }
  if (!any) return error(ErrorKind::kInternal, "no such table in the schema", std::string(name));
  if (table.has_id) {
    const auto max = db_.query_int(fmt::format("SELECT max(id) FROM {}", name));
    if (!max.ok()) return max.status();
    table.next_id = max->value_or(0) + 1;
    table.first_of_source = table.next_id;
  }
  table.known = true;
  return &table;
}

Result<RowWriter::Prepared*> RowWriter::prepared(const Row& row) {
  // Before the first source rows have no source_id: another statement.
  std::string key(in_source_ ? "" : "-");
  key.append(row.table);
  for (const Field& f : row.fields) key.append("\n").append(f.column);
  auto it = statements_.find(key);
  if (it != statements_.end()) return &it->second;
  const Result<Table*> found = table(row.table);
  if (!found.ok()) return found.status();
  Table* info = *found;
  // Parameters: the row's own fields first, then id, then source_id.
  std::string columns;
  std::string marks;
  int n = 0;
  const auto add = [&](std::string_view column) {
    columns += fmt::format("{}{}", n == 0 ? "" : ",", column);
    marks += fmt::format("{}?{}", n == 0 ? "" : ",", n + 1);
    ++n;
  };
  for (const Field& f : row.fields) add(f.column);
  if (info->has_id) add("id");
  if (info->has_source && in_source_) add("source_id");
  Result<Statement> stmt =
      db_.prepare(fmt::format("INSERT INTO {}({}) VALUES({})", row.table, columns, marks));
  if (!stmt.ok()) return stmt.status();
  it = statements_.emplace(std::move(key), Prepared{std::move(*stmt), info}).first;
  return &it->second;
}

Result<std::int64_t> RowWriter::write(const Row& row) {
  const Result<Prepared*> found = prepared(row);
  if (!found.ok()) return found.status();
  Prepared& p = **found;
  Statement& s = p.statement;
  int n = 0;
  for (const Field& f : row.fields) {
    ++n;
    if (const auto* i = std::get_if<std::int64_t>(&f.value)) {
      s.bind(n, *i);
    } else if (const auto* d = std::get_if<double>(&f.value)) {
      s.bind(n, *d);
    } else if (const auto* t = std::get_if<std::string>(&f.value)) {
      s.bind(n, std::string_view(*t));
    } else if (const auto* r = std::get_if<RowRef>(&f.value)) {
      const Result<Table*> target = table(r->table);
      if (!target.ok()) return target.status();
      s.bind(n, (*target)->first_of_source + r->index);
    } else {
      s.bind_null(n);
    }
  }
  std::int64_t id = 0;
  if (p.table->has_id) {
    id = p.table->next_id++;
    s.bind(++n, id);
  }
  if (p.table->has_source && in_source_) s.bind(++n, source_id_);
  TFPM_RETURN_IF_ERROR(s.run());
  return id;
}

}  // namespace tfpm
