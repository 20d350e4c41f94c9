// Checks that the SQL of analyses works on the schema, without a bundle.
#include <utility>

#include "engine/claim.h"
#include "engine/rules.h"
#include "engine/sql_functions.h"
#include "store/database.h"

namespace tfpm {
namespace {

Status broken(const Analysis& analysis, std::string why) {
  return error(ErrorKind::kRule, "the analysis does not work", analysis.origin, std::move(why),
               "`tfpm schema` prints tables and columns; rules/README.md says what it must return");
}

}  // namespace

Result<std::vector<Status>> broken_analyses(const std::vector<Analysis>& analyses) {
  Result<Database> db = Database::create_in_memory();
  if (!db.ok()) return db.status();
  TFPM_RETURN_IF_ERROR(db->finish_loading());
  TFPM_RETURN_IF_ERROR(register_sql_functions(*db));
  std::vector<Status> out;
  for (Analysis analysis : analyses) {
    for (const std::string& need : std::exchange(analysis.needs, {})) {
      Result<Statement> any = db->prepare("SELECT 1 FROM \"" + need + "\"");
      if (!any.ok()) out.push_back(broken(analysis, "needs an unknown table: " + need));
    }
    const RuleOutcome outcome = run_analysis(*db, analysis);
    if (outcome.outcome == "failed") out.push_back(broken(analysis, outcome.why));
  }
  return out;
}

}  // namespace tfpm
