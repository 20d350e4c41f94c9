// tfpm diff: two runs compared: verdicts, findings, messages, versions, configuration, step times.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "cli/command_line.h"
#include "cli/database_path.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "report/secrets.h"

namespace tfpm::cli {
namespace {

struct DiffOptions {
  std::string first, second;
  std::string format = "table";
  bool all = false;
};

// (section, key) -> value, in the order of sections.
using Facts = std::map<std::pair<int, std::string>, std::string>;

struct Section {
  const char* name;
  const char* sql;             // key, value; one row per key
  bool only_presence = false;  // values may differ
};

constexpr Section kSections[] = {
    {"verdict",
     "SELECT 'status', status FROM verdict UNION ALL SELECT 'class', class FROM verdict UNION ALL "
     "SELECT 'cause', cause FROM verdict UNION ALL SELECT 'workers', workers FROM verdict UNION "
     "ALL "
     "SELECT 'step', step_lo || coalesce(nullif('..' || step_hi, '..' || step_lo), '') "
     "FROM verdict UNION ALL SELECT 'confidence', confidence FROM verdict"},
    {"finding",
     "SELECT class || coalesce(' / ' || cause, '') || ' ' || workers, group_concat(DISTINCT role) "
     "FROM finding WHERE class NOT IN ('note', 'data-quality') GROUP BY 1"},
    {"steps",
     "SELECT 'generations', count(*) FROM step_state UNION ALL SELECT 'last step', max(frontier) "
     "FROM step_state UNION ALL SELECT 'step time, ms', CAST(round(step_us / 1000.0) AS INTEGER) "
     "FROM step_state WHERE generation = (SELECT max(generation) FROM step_state) UNION ALL SELECT "
     "'tasks', count(*) FROM worker UNION ALL SELECT 'ended ' || ending, group_concat(name, ', ') "
     "FROM (SELECT name, ending FROM worker WHERE ending IS NOT NULL ORDER BY id) GROUP BY ending"},
    {"version",
     "SELECT component, group_concat(version, ', ') FROM (SELECT DISTINCT component, version FROM "
     "environment WHERE component NOT LIKE 'env:%' ORDER BY component, version) GROUP BY "
     "component"},
    {"config",
     "SELECT component, group_concat(version, ', ') FROM (SELECT DISTINCT component, version FROM "
     "environment WHERE component LIKE 'env:%' ORDER BY component, version) GROUP BY component "
     "UNION ALL SELECT 'TF_CONFIG cluster', group_concat(text, '; ') FROM (SELECT DISTINCT "
     "text FROM cluster_spec ORDER BY text)"},
    {"message",
     "SELECT c.signature_id, sum(c.count) FROM signature_count c JOIN signature_rule r ON r.id = "
     "c.signature_id WHERE r.role IN ('root', 'cascade', 'accusation') GROUP BY 1",
     true},  // how often a message came says little; that it came at all does
};

Result<Facts> facts_of(const std::string& path) {
  Result<Database> db = open_database(path);
  if (!db.ok()) return db.status();
  Facts out;
  int section = 0;
  for (const Section& s : kSections) {
    Result<Statement> rows = db->prepare(s.sql);
    if (!rows.ok()) return rows.status();
    for (;;) {
      const Result<bool> more = rows->step();
      if (!more.ok()) return more.status();
      if (!*more) break;
      if (rows->is_null(1)) continue;
      const std::string masked = report::mask_secrets(rows->text(0) + "=" + rows->text(1));
      out[{section, rows->text(0)}] =
          masked.substr(std::min(masked.size(), rows->text(0).size() + 1));
    }
    ++section;
  }
  return out;
}

Value cell(const std::string* value) {
  return value == nullptr ? Value(std::monostate()) : Value(*value);
}

Table compare(const Facts& a, const Facts& b, const DiffOptions& options) {
  Table table;
  table.columns = {"what", "key", options.first, options.second};
  Facts keys = a;
  keys.insert(b.begin(), b.end());
  const auto value_in = [](const Facts& facts, const Facts::key_type& key) {
    const auto it = facts.find(key);
    return it == facts.end() ? nullptr : &it->second;
  };
  for (const auto& [key, unused] : keys) {
    const std::string* left = value_in(a, key);
    const std::string* right = value_in(b, key);
    const bool both = left != nullptr && right != nullptr;
    const bool same = both && (*left == *right || kSections[key.first].only_presence);
    if (same && !options.all) continue;
    table.rows.push_back(
        {std::string(kSections[key.first].name), key.second, cell(left), cell(right)});
  }
  return table;
}

Result<int> run(const DiffOptions& options) {
  const Result<Facts> a = facts_of(options.first);
  if (!a.ok()) return a.status();
  const Result<Facts> b = facts_of(options.second);
  if (!b.ok()) return b.status();
  const Table table = compare(*a, *b, options);
  TFPM_RETURN_IF_ERROR(
      write_stdout(to_text(table, table_format(options.format).value_or(TableFormat::kTable))));
  return kExitOk;
}

}  // namespace

void add_diff(Command app, Context& context) {
  const Command command = app.add(
      "diff", "compare two runs: verdicts, findings, messages, versions, configuration, steps");
  auto options = std::make_shared<DiffOptions>();
  command.option("A", options->first, "tfpm.db or the directory that holds it").required();
  command.option("B", options->second, "the other one").required();
  command.flag("--all", options->all, "what is equal, too");
  command.option("--format", options->format, "table, csv, json, md")
      .one_of({"table", "csv", "json", "md"})
      .preset("table");
  command.action(context, [options] { return run(*options); });
}

}  // namespace tfpm::cli
